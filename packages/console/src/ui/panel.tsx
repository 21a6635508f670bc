// Titled panel that groups related content.
import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './panel.module.css';

export interface PanelProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  /** Without padding, for lists that extend to the edge. */
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
