// Gray lines in the layout of a list, shown while its rows are loading.
import classes from './table-skeleton.module.css';

export interface TableSkeletonProps {
  /** For use within a sentence, e.g. `certificates`. */
  readonly what: string;
  readonly columns: number;
  /** Number of rows on a full page. No more are drawn than fit in a window. */
  readonly rows: number;
}

const MAX_ROWS = 20;
const MAX_COLUMNS = 6;

export function TableSkeleton({ what, columns, rows }: TableSkeletonProps) {
  const cells = Array.from({ length: Math.min(columns, MAX_COLUMNS) }, (_, place) => place);
  return (
    <div role="status" className={classes.frame}>
      <span className="visually-hidden">Loading {what}…</span>
      {Array.from({ length: Math.min(rows, MAX_ROWS) + 1 }, (_, row) => (
        // oxlint-disable-next-line no-array-index-key -- a grey line is its place
        <div key={row} className={classes.row} data-head={row === 0 || undefined} aria-hidden="true">
          {cells.map((cell) => (
            <span key={cell} className={classes.cell} />
          ))}
        </div>
      ))}
    </div>
  );
}
