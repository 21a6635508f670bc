// A surface with a heading that groups what belongs together.
import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './panel.module.css';

export interface PanelProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  /** Without inner space, for lists that reach to the edge. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={classes.head}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </div>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
