// Columns that somebody chose are there at any width. Many are wider than the window together: the list is moved
// sideways then.
import type { Column } from '../ui/table.tsx';

const LEAST_WIDTH = 'minmax(8rem, 1fr)';

/** Answers the same column each time, so that rows are not rendered again. */
export function createAlwaysShown<Row>(): (column: Column<Row>) => Column<Row> {
  const known = new WeakMap<Column<Row>, Column<Row>>();
  return (column) => {
    const made = known.get(column) ?? {
      width: LEAST_WIDTH,
      ...column,
      minor: false,
      spare: false,
      titled: column.minor ?? false,
    };
    known.set(column, made);
    return made;
  };
}
