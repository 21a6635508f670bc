// Placeholders for content: loading, empty, or failed to load.
import { ApiError, ConnectionError } from '@signetry/client';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { capitalize } from '../format/names.ts';
import { BrowserRejection } from './browser-rejection.ts';
import classes from './outcomes.module.css';
import { InPage } from './page.tsx';

/** Gray lines where content will appear. Screen readers announce what is loading. */
export function Skeleton({ what }: { readonly what: string }) {
  return (
    <div className={classes.skeleton} role="status">
      <span className="visually-hidden">Loading {what}…</span>
      {SKELETON_WIDTHS.map((width) => (
        <span key={width} className={classes.line} style={{ width }} aria-hidden="true" />
      ))}
    </div>
  );
}

const SKELETON_WIDTHS = ['34%', '92%', '78%', '85%', '61%'] as const;

/** Heading of the placeholder. If it replaces a whole page, it is the page title. */
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
  /** Next step for the user. */
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

export interface FailureProps {
  /** What could not be loaded, for use within a sentence; absent if unknown. */
  readonly what?: string;
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** Shows what could not be loaded and why, with a button to try again. */
export function Failure({ what, error, retry }: FailureProps) {
  const { title, text } = describeError(error);
  return (
    <div className={classes.outcome} role="alert">
      <Stack gap="xs" align="center" maw="34rem">
        <Heading>{what === undefined ? title : `${capitalize(what)} could not be loaded`}</Heading>
        {what !== undefined && <Text ta="center">{title}</Text>}
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

/** Matches the messages that browsers and the loader produce when a console file cannot be loaded. */
const PART_IS_MISSING = /dynamically imported module|importing a module script|preload CSS/i;

export function describeError(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ConnectionError) {
    return error.timedOut
      ? {
          title: 'The platform did not respond in time',
          text: 'It may be overloaded. Your request may still complete.',
        }
      : {
          title: 'The platform cannot be reached',
          text: 'Check that it is running and that this machine can reach it. No changes were made.',
        };
  }
  if (error instanceof ApiError) {
    if (error.status === 403) return { title: 'Permission denied', text: error.message };
    if (error.status === 404) return { title: 'Not found', text: error.message };
    return {
      title: 'The platform rejected the request',
      text: error.problems.length > 0 ? error.problems.join(' ') : error.message,
    };
  }
  if (error instanceof BrowserRejection)
    return { title: 'The browser did not complete the request', text: error.message };
  if (error instanceof Error && PART_IS_MISSING.test(error.message)) {
    return {
      title: 'This page could not be loaded',
      text: 'The platform cannot be reached, or it was updated after you opened the console. Reload the page.',
    };
  }
  return { title: 'Unexpected error in the console', text: error instanceof Error ? error.message : String(error) };
}
