// Filters of feed readers.
import type { Resource } from '@signetry/contract';

/** Events that a caller wants. */
export interface EventFilter {
  readonly event?: string | undefined;
  readonly resource?: Resource | undefined;
  readonly objectUuid?: string | undefined;
}
