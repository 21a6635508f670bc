// Filters that feed readers specify.
import type { Resource } from '@signetry/contract';

/** Filter for the events that a caller wants. */
export interface EventFilter {
  readonly event?: string | undefined;
  readonly resource?: Resource | undefined;
  readonly objectUuid?: string | undefined;
}
