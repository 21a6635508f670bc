// The frame of a page: title, description, actions.
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode } from 'react';
import classes from './page.module.css';

/** Whether the content is within a page that has a title. */
export const InPage = createContext(false);

export interface PageProps {
  readonly title: string;
  /** Beside the title, e.g. a state. */
  readonly mark?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The page above this one, without its filters: the browser's "back" keeps them. */
  readonly parent?: { readonly to: string; readonly label: string };
  /** As wide as the window, for lists. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, mark, description, actions, parent, wide = false, children }: PageProps) {
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
