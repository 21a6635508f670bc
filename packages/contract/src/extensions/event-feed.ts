// What happened, in order, for programs that follow it: page by page, or as server-sent events. Not part of the
// published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { queryInt32 } from '../shared/query.ts';

/** Events on a page, at most. */
export const MAX_EVENTS_PER_PAGE = 1_000;

export const FeedEvent = z
  .object({
    /** Grows from event to event; what the caller may not see leaves gaps. */
    position: int64(),
    /** Stays the same, however often the event is read. */
    uuid: uuid(),
    /** Name, e.g. `certificate_status_changed`. */
    event: z.string(),
    /** What it is about. */
    resource: Resource,
    /** Absent where that has no identifier. */
    objectUuid: uuid().optional(),
    raisedAt: dateTime(),
    /** As triggers get it. */
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'FeedEvent' });
export type FeedEvent = z.output<typeof FeedEvent>;

export const FeedPage = z
  .object({
    events: z.array(FeedEvent),
    /** What to give as `after` to go on, also when there were no events that the caller may see. */
    position: int64(),
    /** The oldest event that is still kept, whoever may see it. */
    oldestKept: int64(),
  })
  .meta({ id: 'FeedPage' });
export type FeedPage = z.output<typeof FeedPage>;

const POSITION = /^(?:now|\d{1,15})$/;
const asked = {
  /** A position, or `now` (the default) for what comes next. */
  after: z.string().regex(POSITION, 'must be a position, or now').optional(),
  /** Only events of this name. */
  event: z.string().min(1).max(100).optional(),
  /** Only events about objects of this kind. */
  resource: Resource.optional(),
  /** Only events about this object. */
  objectUuid: uuid().optional(),
};

export const eventFeedOperations = operations(
  { tag: 'Events', resource: 'triggers', module: 'workflows', errors: ruleErrors },
  {
    /** Those that the caller may see, in their order. */
    listEvents: {
      route: 'GET /x/v1/events',
      summary: 'List what happened after a position',
      query: z.object({
        ...asked,
        limit: queryInt32(int32().min(1).max(MAX_EVENTS_PER_PAGE)).default(100),
        /** Seconds to wait for an event when there is none yet. */
        waitS: queryInt32(int32().min(0).max(30)).default(0),
      }),
      answer: FeedPage,
      access: 'authenticated',
    },
    /**
     * Server-sent events (HTML Living Standard, 9.2): `id` is the position, `event` the name, `data` the event. After a
     * cut it goes on from `Last-Event-ID`, which counts before `after`.
     */
    streamEvents: {
      route: 'GET /x/v1/events/stream',
      summary: 'Follow what happens as server-sent events',
      query: z.object(asked),
      success: { status: 200, media: 'text/event-stream' },
      access: 'authenticated',
    },
  },
);
