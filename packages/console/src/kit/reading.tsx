// What is read from the platform, with what stands in its place while it is on its way, when there is none of it, and
// when it could not be read.
import type { ReactNode } from 'react';
import { Failure, Skeleton } from '../ui/outcomes.tsx';
import { Panel } from '../ui/panel.tsx';

/** A query, as far as it matters here. */
export interface Readable<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface ReadingProps<Data> {
  readonly of: Readable<Data>;
  /** In the middle of a sentence, e.g. `the connector` or `RA profiles`. */
  readonly what: string;
  /** Stands alone on a page, so that skeleton and failure get a surface of their own. */
  readonly inPanel?: boolean;
  /** Stands where what was read is an empty list. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What was read before stays in sight when it cannot be read again. */
export function Reading<Data>({ of, what, inPanel = false, empty, children }: ReadingProps<Data>) {
  const { data, error, refetch } = of;
  const frame = (content: ReactNode): ReactNode => (inPanel ? <Panel>{content}</Panel> : content);
  if (data === undefined)
    return frame(error ? <Failure what={what} error={error} retry={() => void refetch()} /> : <Skeleton what={what} />);
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return frame(empty);
  return children(data);
}
