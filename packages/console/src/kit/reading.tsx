// The result of a query, or what is shown in its place: a skeleton while it loads, an empty state, or the failure.
import type { ReactNode } from 'react';
import { Failure, Skeleton } from '../ui/outcomes.tsx';
import { Panel } from '../ui/panel.tsx';

/** The part of a query that is used here. */
export interface Readable<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface ReadingProps<Data> {
  readonly of: Readable<Data>;
  /** In the middle of a sentence, e.g. `the connector` or `RA profiles`. */
  readonly what: string;
  /** Not within a panel, so that skeleton and failure get one of their own. */
  readonly inPanel?: boolean;
  /** In the form of what is loading, so that nothing moves when it is there. */
  readonly skeleton?: ReactNode;
  /** Shown where the result is an empty list. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** An earlier result stays in sight when it cannot be fetched again. */
export function Reading<Data>({ of, what, inPanel = false, skeleton, empty, children }: ReadingProps<Data>) {
  const { data, error, refetch } = of;
  const frame = (content: ReactNode): ReactNode => (inPanel ? <Panel>{content}</Panel> : content);
  if (data === undefined)
    return frame(
      error ? (
        <Failure what={what} error={error} retry={() => void refetch()} />
      ) : (
        (skeleton ?? <Skeleton what={what} />)
      ),
    );
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return frame(empty);
  return children(data);
}
