// Pages of events, and streams of them. Both go on from a position, and say so when what came after it is gone.
import type { Readable } from 'node:stream';
import type { FeedPage } from '@signetry/contract';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import { AppError, rejected } from '../../kernel/errors.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentEvent } from './present.ts';
import { createStreams } from './streams.ts';
import type { EventFilter } from './wanted.ts';
import { visibleEvents, type VisibilityParts } from './visible.ts';

interface FeedRequest extends EventFilter {
  readonly after?: string | undefined;
}

interface AskedPage extends FeedRequest {
  readonly limit: number;
  readonly waitS: number;
}

/** Events that one request looks at, most of which may be hidden or unwanted. */
const LOOKED_AT = 10_000;

export type FeedService = ReturnType<typeof createFeedService>;

export function createFeedService(platform: Platform, { objectNames }: Pick<VisibilityParts, 'objectNames'>) {
  const { events, clock } = platform;
  const parts = { executor: platform.database.executor, objectNames };
  const shownTo = (actor: Actor, wanted: EventFilter, batch: readonly PublishedEvent[]) =>
    visibleEvents(parts, wantedOf(batch, wanted), actor);
  const streams = createStreams({ tail: events.tail, clock, shownTo });

  async function startOf(after: string | undefined): Promise<{ position: number; oldestKept: number }> {
    const { head, oldest } = await events.tail.ends();
    const position = after === undefined || after === 'now' ? head : Number(after);
    if (position + 1 < oldest)
      throw rejected(
        `after: the events that came after ${position} are not all kept any more; the oldest is ${oldest}. Read the ` +
          `lists of what you follow anew, and go on with after=${oldest - 1}, or with after=now.`,
      );
    if (position > head)
      throw rejected(
        `after: ${position} was not given to any event yet; the last is ${head}. If the database was restored from a ` +
          'backup, read the lists of what you follow anew, and go on with after=now.',
      );
    return { position, oldestKept: oldest };
  }

  function assertPublished({ event }: EventFilter): void {
    if (event === undefined || events.publishedNames.includes(event)) return;
    throw rejected(`event: there is no event ${event}. Events are: ${events.publishedNames.toSorted().join(', ')}.`);
  }

  /** The next events, up to the limit, among the next that there are. */
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
      found.push(...(await shownTo(actor, wanted, batch)));
      position = last.position;
    }
    const page = found.slice(0, limit);
    return {
      events: page.map(presentEvent),
      // What did not fit on the page comes next.
      position: found.length > limit ? (page.at(-1)?.position ?? from) : position,
    };
  }

  async function list({ after, limit, waitS, ...wanted }: AskedPage, context: RequestContext): Promise<FeedPage> {
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
    const { position } = await startOf(lastSeen(context) ?? after);
    return streams.open({ position, wanted, context });
  }

  return { list, stream, leave: streams.leave };
}

/** Where the caller was before the connection was cut. */
function lastSeen({ lasting }: RequestContext): string | undefined {
  const id = lasting?.lastEventId;
  if (id === undefined || id === '') return undefined;
  if (!/^\d{1,15}$/.test(id)) throw new AppError('malformed_request', { problem: 'Last-Event-ID is not a position' });
  return id;
}

/** The same list where all are wanted. */
const wantedOf = (batch: readonly PublishedEvent[], wanted: EventFilter): readonly PublishedEvent[] =>
  batch.every((event) => isWanted(event, wanted)) ? batch : batch.filter((event) => isWanted(event, wanted));

const isWanted = (each: PublishedEvent, { event, resource, objectUuid }: EventFilter): boolean =>
  (event === undefined || each.event === event) &&
  (resource === undefined || each.resource === resource) &&
  (objectUuid === undefined || each.objectUuid === objectUuid.toLowerCase());
