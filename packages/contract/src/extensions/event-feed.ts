// Events in order, for programs that follow them: returned page by page, or as server-sent events. Not part of the
// published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { queryInt32 } from '../shared/query.ts';

/** Maximum number of events on a page. */
export const MAX_EVENTS_PER_PAGE = 1_000;

export const FeedEvent = z
  .object({
    /** Increases with every event; events that the caller cannot see leave gaps. */
    position: int64(),
    /** Remains the same each time the event is read. */
    uuid: uuid(),
    /** Name, e.g. `certificate_status_changed`. */
    event: z.string(),
    /** Resource of the object that the event is about. */
    resource: Resource,
    /** Absent if the object has no identifier. */
    objectUuid: uuid().optional(),
    raisedAt: dateTime(),
    /** Event data as received by triggers. */
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'FeedEvent' });
export type FeedEvent = z.output<typeof FeedEvent>;

export const FeedPage = z
  .object({
    events: z.array(FeedEvent),
    /** Value to use as `after` in the next request, even if the page contains no events that the caller can see. */
    position: int64(),
    /** Position of the oldest retained event, even if the caller cannot see it. */
    oldestKept: int64(),
  })
  .meta({ id: 'FeedPage' });
export type FeedPage = z.output<typeof FeedPage>;

const POSITION = /^(?:now|\d{1,15})$/;
const asked = {
  /** A position, or `now` (the default) for future events only. */
  after: z.string().regex(POSITION, 'must be a position or "now"').optional(),
  /** Only events with this name. */
  event: z.string().min(1).max(100).optional(),
  /** Only events about objects of this resource. */
  resource: Resource.optional(),
  /** Only events about this object. */
  objectUuid: uuid().optional(),
};

export const eventFeedOperations = operations(
  { tag: 'Events', resource: 'triggers', module: 'workflows', errors: ruleErrors },
  {
    /** Events that the caller can see, in order. */
    listEvents: {
      route: 'GET /x/v1/events',
      summary: 'List events after a position',
      query: z.object({
        ...asked,
        limit: queryInt32(int32().min(1).max(MAX_EVENTS_PER_PAGE)).default(100),
        /** Number of seconds to wait for an event if there is none yet. */
        waitS: queryInt32(int32().min(0).max(30)).default(0),
      }),
      answer: FeedPage,
      access: 'authenticated',
    },
    /**
     * Server-sent events (HTML Living Standard, 9.2): `id` is the position, `event` the name, `data` the event. After a
     * disconnect, the stream continues from `Last-Event-ID`, which takes precedence over `after`.
     */
    streamEvents: {
      route: 'GET /x/v1/events/stream',
      summary: 'Follow events as server-sent events',
      query: z.object(asked),
      success: { status: 200, media: 'text/event-stream' },
      access: 'authenticated',
    },
  },
);
