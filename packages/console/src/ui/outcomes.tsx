// What stands in the place of content: while it loads, when there is none, when it could not be read.
import { ApiError, ConnectionError } from '@signetry/client';
import { Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import classes from './outcomes.module.css';
import { InPage } from './page.tsx';

export function Loading({ what }: { readonly what: string }) {
  return (
    <div className={classes.outcome} role="status">
      <Loader size="sm" type="dots" />
      <Text c="dimmed" size="sm">
        Loading {what}…
      </Text>
    </div>
  );
}

/** In the place of a whole page, it is the heading of it. */
function Heading({ children }: { readonly children: string }) {
  return (
    <Title order={useContext(InPage) ? 2 : 1} size="h2" ta="center">
      {children}
    </Title>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={classes.outcome}>
      <Stack gap="xs" align="center" maw="30rem">
        <Heading>{title}</Heading>
        {children && (
          <Text c="dimmed" ta="center">
            {children}
          </Text>
        )}
        {action && <div className={classes.action}>{action}</div>}
      </Stack>
    </div>
  );
}

/** The platform's own words, and what may help. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: (() => void) | undefined }) {
  const { title, text } = wordsOf(error);
  return (
    <div className={classes.outcome} role="alert">
      <Stack gap="xs" align="center" maw="34rem">
        <Heading>{title}</Heading>
        <Text c="dimmed" ta="center">
          {text}
        </Text>
        {retry && (
          <Button variant="default" onClick={retry} className={classes.action}>
            Try again
          </Button>
        )}
      </Stack>
    </div>
  );
}

/** How browsers and the loader say that a file of the console did not come. */
const PART_IS_MISSING = /dynamically imported module|importing a module script|preload CSS/i;

export function wordsOf(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ConnectionError) {
    return error.timedOut
      ? {
          title: 'The platform does not answer in time',
          text: 'It may be busy. What you asked for may still be carried out.',
        }
      : {
          title: 'The platform cannot be reached',
          text: 'Check that it runs and that this machine reaches it. Nothing was changed.',
        };
  }
  if (error instanceof ApiError) {
    if (error.status === 403) return { title: 'You may not see this', text: error.message };
    if (error.status === 404) return { title: 'This does not exist', text: error.message };
    return {
      title: 'The platform refused this',
      text: error.problems.length > 0 ? error.problems.join(' ') : error.message,
    };
  }
  if (error instanceof Error && PART_IS_MISSING.test(error.message)) {
    return {
      title: 'This page could not be loaded',
      text: 'The platform cannot be reached, or it was updated since you opened the console. Load the page again.',
    };
  }
  return { title: 'Something went wrong in the console', text: error instanceof Error ? error.message : String(error) };
}
