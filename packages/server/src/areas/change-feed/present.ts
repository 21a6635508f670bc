// Presents events in the API format, and as server-sent events (HTML Living Standard, 9.2).
import type { FeedEvent } from '@signetry/contract';
import type { PublishedEvent } from '../../platform/events/followers.ts';

export const presentEvent = (event: PublishedEvent): FeedEvent => ({
  position: event.position,
  uuid: event.uuid,
  event: event.event,
  resource: event.resource,
  ...(event.objectUuid === null ? {} : { objectUuid: event.objectUuid }),
  raisedAt: event.raisedAt.toISOString(),
  data: event.data,
});

const texts = new WeakMap<readonly PublishedEvent[], Buffer>();

/** The result is created once and shared by all readers on this node that see the same list of events. */
export function framesOf(events: readonly PublishedEvent[]): Buffer {
  const known = texts.get(events);
  if (known) return known;
  const text = Buffer.from(events.map(frameOf).join(''));
  texts.set(events, text);
  return text;
}

const frames = new WeakMap<PublishedEvent, string>();

/** Also shared by readers that see other parts of the same list. */
function frameOf(event: PublishedEvent): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = `id: ${event.position}\nevent: ${event.event}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
  frames.set(event, frame);
  return frame;
}

/** Returns a comment line that clients ignore, with a position to resume from, even if no events were visible. */
export const keepAliveComment = (position: number): string => `: alive\nid: ${position}\n\n`;

/** Returns a comment line that tells users why the stream ended. */
export const endComment = (reason: string): string => `: ended: ${reason.replaceAll(/\s+/g, ' ')}\n\n`;
