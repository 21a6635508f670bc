// One step of the instructions. The surrounding list numbers it.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './steps.module.css';

export function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li className={classes.step}>
      <Title order={2} size="h3" className={classes.title}>
        {title}
      </Title>
      <div className={classes.body}>{children}</div>
    </li>
  );
}
