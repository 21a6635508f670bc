// Pages of a list that came as a whole, so that thousands of rows do not have to be drawn at once.
import { useState, type ReactNode } from 'react';
import { PageFoot } from './page-foot.tsx';

const SIZE = 50;

export function Paged<Row>(props: {
  readonly rows: readonly Row[];
  readonly children: (shown: readonly Row[]) => ReactNode;
}) {
  const { rows, children } = props;
  const [wanted, setWanted] = useState(1);
  const pages = Math.max(1, Math.ceil(rows.length / SIZE));
  const page = Math.min(wanted, pages);
  const start = (page - 1) * SIZE;
  return (
    <>
      {children(rows.slice(start, start + SIZE))}
      {pages > 1 && <PageFoot page={page} size={SIZE} totalItems={rows.length} totalPages={pages} onPage={setWanted} />}
    </>
  );
}
