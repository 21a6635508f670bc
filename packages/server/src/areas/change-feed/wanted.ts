// What a reader of the feed asks for.
import type { Resource } from '@signetry/contract';

/** What a caller wants to know of. */
export interface EventFilter {
  readonly event?: string | undefined;
  readonly resource?: Resource | undefined;
  readonly objectUuid?: string | undefined;
}
