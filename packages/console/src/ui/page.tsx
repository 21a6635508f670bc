// Frame of a page: title, description and actions.
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode } from 'react';
import classes from './page.module.css';

/** Whether the content is inside a page that has a title. */
export const InPage = createContext(false);

export interface PageProps {
  readonly title: string;
  /** Shown next to the title, e.g. a state. */
  readonly mark?: ReactNode;
  readonly description?: ReactNode;
  /** Anchor of the glossary entry for the title, linked after the description. */
  readonly term?: string;
  readonly actions?: ReactNode;
  /** The parent page. The link has no filters; the browser's back button restores them. */
  readonly parent?: { readonly to: string; readonly label: string };
  /** Uses the full window width, for lists. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, mark, description, term, actions, parent, wide = false, children }: PageProps) {
  useDocumentTitle(`${title} – Signetry`);
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      {parent && (
        <Anchor component={Link} to={parent.to} size="sm" c="dimmed" className={classes.parent}>
          <IconChevronLeft size={14} aria-hidden="true" />
          {parent.label}
        </Anchor>
      )}
      <header className={classes.header}>
        <div className={classes.heading}>
          <Group gap="sm" align="center">
            <Title order={1}>{title}</Title>
            {mark}
          </Group>
          {description && (
            <Text c="dimmed" size="md" maw="46rem">
              {description}
              {term !== undefined && (
                <>
                  {' '}
                  <Anchor component={Link} to="/glossary" hash={term} inherit underline="always">
                    Glossary
                  </Anchor>
                </>
              )}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </header>
      <InPage value={true}>{children}</InPage>
    </div>
  );
}
