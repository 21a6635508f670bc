// Main column and side column of a page, stacked on narrow screens.
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
