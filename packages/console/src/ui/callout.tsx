// Short, prominent message, colored by its tone.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './callout.module.css';
import type { Tone } from './state.tsx';

export interface CalloutProps {
  readonly tone: Tone;
  readonly title: string;
  /** Whether screen readers announce the message immediately. Used for the result of an action. */
  readonly urgent?: boolean;
  readonly children?: ReactNode;
}

export function Callout({ tone, title, urgent = false, children }: CalloutProps) {
  return (
    <div className={classes.callout} data-tone={tone} role={urgent ? 'alert' : undefined}>
      <Text fw={650} className={classes.title}>
        {title}
      </Text>
      {children && <div className={classes.text}>{children}</div>}
    </div>
  );
}
