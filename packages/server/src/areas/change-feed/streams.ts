// Streams of server-sent events. A reader receives only as much as it reads: unread events remain in the log and are
// not buffered. Permissions are checked again when there are events to send, and every few seconds, so that a stream
// ends when its authorization does. These checks do not count as session activity; otherwise an open page would prevent
// its session from timing out.
import { Readable } from 'node:stream';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError, isAppError } from '../../kernel/errors.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';
import type { LogTail } from '../../platform/events/log-tail.ts';
import { keepAliveComment, endComment, framesOf } from './present.ts';
import type { EventFilter } from './event-filter.ts';

interface StreamParts {
  readonly tail: LogTail;
  readonly clock: Clock;
  readonly eventsVisibleTo: (
    actor: Actor,
    wanted: EventFilter,
    batch: readonly PublishedEvent[],
  ) => Promise<readonly PublishedEvent[]>;
}

interface StreamRequest {
  readonly position: number;
  readonly wanted: EventFilter;
  readonly context: RequestContext;
}

const HEARTBEAT_MS = 15_000;
const RIGHTS_MS = 3_000;
/** Batches within this time share one permission check. */
const RIGHTS_KEPT_MS = 250;
/** A reader that reads nothing for this long is considered gone. */
const STALLED_MS = 60_000;
/** Time for readers to receive the last line before their connections are closed. */
const LEAVING_MS = 500;
const STREAMS_OF_USER = 50;
const RETRY_MS = 1_000;

export function createStreams(parts: StreamParts) {
  const stopping = new AbortController();
  const open = new Set<Readable>();
  const ofUsers = new Map<string, number>();

  const count = (user: string, by: number): void => {
    const streams = (ofUsers.get(user) ?? 0) + by;
    if (streams === 0) ofUsers.delete(user);
    else ofUsers.set(user, streams);
  };

  return {
    /** Fires when this node stops. */
    stopping: stopping.signal,
    open(opened: StreamRequest): Readable {
      const user = opened.context.actor.userUuid ?? '';
      if ((ofUsers.get(user) ?? 0) >= STREAMS_OF_USER)
        throw new AppError('too_many_requests', { what: 'open event streams', retryAfterS: 10 });
      const signal = AbortSignal.any([stopping.signal, opened.context.signal]);
      const stalled = setTimeout(() => stream.destroy(), STALLED_MS);
      const stream = Readable.from(textOf(parts, opened, { signal, taken: () => stalled.refresh() }), {
        objectMode: false,
      });
      const unwatch = parts.tail.watch();
      open.add(stream);
      count(user, 1);
      stream.once('close', () => {
        clearTimeout(stalled);
        unwatch();
        open.delete(stream);
        count(user, -1);
      });
      return stream;
    },
    leave(): void {
      stopping.abort();
      setTimeout(() => open.forEach((stream) => stream.destroy()), LEAVING_MS).unref();
    },
  };
}

async function* textOf(
  { tail, clock, eventsVisibleTo }: StreamParts,
  { position: from, wanted, context }: StreamRequest,
  { signal, taken }: { readonly signal: AbortSignal; readonly taken: () => void },
): AsyncGenerator<string | Buffer> {
  // A clock that is set back must not delay the permission check.
  const now = (): number => clock.monotonicMs();
  let position = from;
  let { actor } = context;
  let askedAt = now();
  let sentAt = askedAt;
  yield `retry: ${RETRY_MS}\n${keepAliveComment(position)}`;
  try {
    while (!signal.aborted) {
      taken();
      const batch = await tail.read(position);
      if (now() - askedAt >= (batch.length > 0 ? RIGHTS_KEPT_MS : RIGHTS_MS)) {
        actor = (await context.lasting?.again()) ?? actor;
        askedAt = now();
      }
      const [first, last] = [batch[0], batch.at(-1)];
      if (first && first.position > position + 1)
        return yield endComment(`events after ${position} are no longer stored`);
      const shown = await eventsVisibleTo(actor, wanted, batch);
      position = last?.position ?? position;
      if (shown.length > 0 || now() - sentAt >= HEARTBEAT_MS) {
        yield shown.length === 0 ? keepAliveComment(position) : framesOf(shown);
        sentAt = now();
      }
      if (!last) await tail.wait(position, { ms: RIGHTS_MS, signal });
    }
    yield endComment('this node is shutting down; other nodes continue');
  } catch (error) {
    // The reader keeps its position, so it can reconnect, and then receives the error.
    yield endComment(isAppError(error) ? error.message : 'the platform failed; reconnect');
    if (!isAppError(error)) throw error;
  }
}
