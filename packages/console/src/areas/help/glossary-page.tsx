// The terms of the product. Other pages link to a term by its anchor.
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import classes from './glossary-page.module.css';
import { anchorOf, terms, type Term } from './terms.ts';

const textOf = ({ term, definition, avoid = '' }: Term): string => `${term} ${definition} ${avoid}`.toLowerCase();

export function GlossaryPage() {
  const [search, setSearch] = useState('');
  const found = terms.filter((each) => textOf(each).includes(search.trim().toLowerCase()));
  const { hash } = useLocation();
  // The browser does not scroll to the anchor, because it looks for it before the page is loaded.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash]);
  return (
    <Page title="Glossary" description="Terms used in the console, in the CLI and in the guides.">
      <Panel>
        <SearchField label="Search terms" placeholder="For example: RA profile" text={search} onSearch={setSearch} />
        {found.length === 0 ? (
          <Empty title="No terms found">Change the search text.</Empty>
        ) : (
          <dl className={classes.terms}>
            {found.map(({ term, definition, source }) => (
              <div
                key={term}
                id={anchorOf(term)}
                className={classes.term}
                data-linked={anchorOf(term) === hash || undefined}
              >
                <dt>{term}</dt>
                <dd>
                  {definition}
                  {source !== undefined && source !== 'interface' && <span className={classes.source}> {source}</span>}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Panel>
    </Page>
  );
}
