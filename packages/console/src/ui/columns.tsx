// What a page is about, and beside it what belongs to it; one below the other where there is no room.
import type { ReactNode } from 'react';
import classes from './columns.module.css';

export function Columns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>{main}</div>
      <div className={classes.column}>{side}</div>
    </div>
  );
}
