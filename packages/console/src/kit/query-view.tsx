// Shows the result of a query or, in its place, a loading skeleton, an empty state or an error.
import type { ReactNode } from 'react';
import { Failure, Skeleton } from '../ui/outcomes.tsx';
import { Panel } from '../ui/panel.tsx';

/** The query properties that are used here. */
export interface QueryLike<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface QueryViewProps<Data> {
  readonly of: QueryLike<Data>;
  /** For use within a sentence, e.g. `the connector` or `RA profiles`. */
  readonly what: string;
  /** Wraps the skeleton, empty state and error in a panel. */
  readonly inPanel?: boolean;
  /** Placeholder with the layout of the content, which avoids layout shifts. */
  readonly skeleton?: ReactNode;
  /** Shown if the result is an empty list. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Keeps showing the previous result if a refetch fails. */
export function QueryView<Data>({ of, what, inPanel = false, skeleton, empty, children }: QueryViewProps<Data>) {
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
