// Columns selected by the user are shown at any width. If they are wider than the window, the list scrolls
// horizontally.
import type { Column } from '../ui/table.tsx';

const LEAST_WIDTH = 'minmax(8rem, 1fr)';

/** Returns a function that always maps a given column to the same object, so that rows are not rendered again. */
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
