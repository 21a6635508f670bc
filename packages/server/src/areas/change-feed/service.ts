// Pages and streams of events. Both resume from a position, and report if events after it have been deleted.
import type { Readable } from 'node:stream';
import type { FeedPage } from '@signetry/contract';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import { AppError, rejected } from '../../kernel/errors.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentEvent } from './present.ts';
import { createStreams } from './streams.ts';
import type { EventFilter } from './event-filter.ts';
import { visibleEvents, type VisibilityParts } from './visible-events.ts';

interface FeedRequest extends EventFilter {
  readonly after?: string | undefined;
}

interface RequestedPage extends FeedRequest {
  readonly limit: number;
  readonly waitS: number;
}

/** Maximum number of events examined per request. Most of them may be hidden from the caller or filtered out. */
const LOOKED_AT = 10_000;

export type FeedService = ReturnType<typeof createFeedService>;

export function createFeedService(platform: Platform, { objectNames }: Pick<VisibilityParts, 'objectNames'>) {
  const { events, clock } = platform;
  const parts = { executor: platform.database.executor, objectNames };
  const eventsVisibleTo = (actor: Actor, wanted: EventFilter, batch: readonly PublishedEvent[]) =>
    visibleEvents(parts, filterEvents(batch, wanted), actor);
  const streams = createStreams({ tail: events.tail, clock, eventsVisibleTo });

  async function startOf(after: string | undefined): Promise<{ position: number; oldestKept: number }> {
    const { head, oldest } = await events.tail.ends();
    const position = after === undefined || after === 'now' ? head : Number(after);
    if (position + 1 < oldest)
      throw rejected(
        `after: events after ${position} were deleted; the oldest is ${oldest}. Reload your lists, and continue with after=${oldest - 1} or after=now.`,
      );
    if (position > head)
      throw rejected(
        `after: no event has position ${position} yet; the newest is ${head}. If the database was restored from a ` +
          'backup, reload the lists that you follow, and continue with after=now.',
      );
    return { position, oldestKept: oldest };
  }

  function assertPublished({ event }: EventFilter): void {
    if (event === undefined || events.publishedNames.includes(event)) return;
    throw rejected(`event: unknown event ${event}. Known: ${events.publishedNames.toSorted().join(', ')}.`);
  }

  /** Returns the next visible events up to the limit, after examining a bounded number of stored events. */
  async function nextPage(
    from: number,
    { limit, wanted, actor }: { readonly limit: number; readonly wanted: EventFilter; readonly actor: Actor },
  ): Promise<Pick<FeedPage, 'events' | 'position'>> {
    let position = from;
    const found: PublishedEvent[] = [];
    while (found.length < limit && position - from < LOOKED_AT) {
      const batch = await events.tail.read(position);
      const last = batch.at(-1);
      if (!last) break;
      found.push(...(await eventsVisibleTo(actor, wanted, batch)));
      position = last.position;
    }
    const page = found.slice(0, limit);
    return {
      events: page.map(presentEvent),
      // Events that did not fit on the page come next.
      position: found.length > limit ? (page.at(-1)?.position ?? from) : position,
    };
  }

  async function list({ after, limit, waitS, ...wanted }: RequestedPage, context: RequestContext): Promise<FeedPage> {
    assertPublished(wanted);
    const { position: from, oldestKept } = await startOf(after);
    const until = clock.monotonicMs() + waitS * 1_000;
    const close = waitS > 0 ? events.tail.watch() : undefined;
    try {
      let page = await nextPage(from, { limit, wanted, actor: context.actor });
      for (;;) {
        const leftMs = until - clock.monotonicMs();
        if (page.events.length > 0 || leftMs <= 0 || streams.stopping.aborted || context.signal.aborted) break;
        const signal = AbortSignal.any([streams.stopping, context.signal]);
        await events.tail.wait(page.position, { ms: leftMs, signal });
        page = await nextPage(page.position, { limit, wanted, actor: context.actor });
      }
      return { ...page, oldestKept };
    } finally {
      close?.();
    }
  }

  async function stream({ after, ...wanted }: FeedRequest, context: RequestContext): Promise<Readable> {
    assertPublished(wanted);
    const { position } = await startOf(lastReceivedId(context) ?? after);
    return streams.open({ position, wanted, context });
  }

  return { list, stream, leave: streams.leave };
}

/** Returns the last position that the caller received before the connection was interrupted. */
function lastReceivedId({ lasting }: RequestContext): string | undefined {
  const id = lasting?.lastEventId;
  if (id === undefined || id === '') return undefined;
  if (!/^\d{1,15}$/.test(id)) throw new AppError('malformed_request', { problem: 'Last-Event-ID is not a position' });
  return id;
}

/** Returns the same array if all events match the filter. */
const filterEvents = (batch: readonly PublishedEvent[], wanted: EventFilter): readonly PublishedEvent[] =>
  batch.every((event) => matchesFilter(event, wanted)) ? batch : batch.filter((event) => matchesFilter(event, wanted));

const matchesFilter = (each: PublishedEvent, { event, resource, objectUuid }: EventFilter): boolean =>
  (event === undefined || each.event === event) &&
  (resource === undefined || each.resource === resource) &&
  (objectUuid === undefined || each.objectUuid === objectUuid.toLowerCase());
