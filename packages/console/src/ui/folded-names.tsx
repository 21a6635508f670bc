// List of names, potentially hundreds. Shows the first few and the rest on demand, with a search field if there are
// many.
import { TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../format/names.ts';
import classes from './folded-names.module.css';

/** Shorter lists need no search field. */
const SEARCHED_FROM = 12;

/** Maximum number of names rendered. The others can be found by searching. */
const MOST_DRAWN = 500;

export interface FoldedNamesProps {
  readonly names: readonly string[];
  /** Number of names shown while collapsed. Pages specify it if `draw` renders more than plain text. */
  readonly first?: number;
  /** Renders the names that are always shown. */
  readonly draw?: (text: string) => React.ReactNode;
}

export function FoldedNames({
  names,
  first = 3,
  draw = (text) => <span className={classes.first}>{text}</span>,
}: FoldedNamesProps) {
  const [isOpen, setOpen] = useState(false);
  const rest = names.slice(first);
  return (
    <>
      {draw(names.slice(0, first).join(', '))}
      {rest.length > 0 && <span className={classes.printed} data-names={`, ${rest.join(', ')}`} />}
      {rest.length > 0 && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen((open) => !open)}>
          {isOpen ? 'Show fewer' : `and ${formatCount(rest.length)} more`}
        </UnstyledButton>
      )}
      {isOpen && rest.length > 0 && <RemainingNames names={rest} />}
    </>
  );
}

function RemainingNames({ names }: { readonly names: readonly string[] }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = names.filter((name) => name.toLowerCase().includes(wanted));
  return (
    <div className={classes.rest}>
      {names.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          type="search"
          aria-label="Search these names"
          placeholder="Search these names"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul className={classes.list} tabIndex={0} aria-label="Names">
        {found.slice(0, MOST_DRAWN).map((name, place) => (
          // A certificate can contain the same name twice.
          <li key={`${place} ${name}`}>{name}</li>
        ))}
      </ul>
      <span role="status" className={classes.none}>
        {found.length === 0 && `No name contains “${text.trim()}”.`}
        {found.length > MOST_DRAWN &&
          `Showing the first ${MOST_DRAWN} of ${formatCount(found.length)}. Search to find the others.`}
      </span>
    </div>
  );
}
