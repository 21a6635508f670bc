// Events that are visible to a caller, i.e. those about objects that a list would currently show to the caller. Once an
// object has been deleted, it is unknown who could see it, so its events are visible only to callers whose lists show
// all objects of that kind.
import type { Resource } from '@signetry/contract';
import { isUnlimited, isVisible, showsAny, visibleObjects, type Actor } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { PublishedEvent } from '../../platform/events/followers.ts';
import type { ObjectNames } from '../../platform/platform.ts';
import { findListedCertificates, visibleCertificates } from '../certificates/index.ts';
import { trimEvent } from './trim-event.ts';

export interface VisibilityParts {
  readonly executor: Executor;
  readonly objectNames: () => ObjectNames;
}

/** Returns the events that the actor can see, in order. Each contains only the data that the actor can see. */
export async function visibleEvents(
  parts: VisibilityParts,
  events: readonly PublishedEvent[],
  actor: Actor,
): Promise<readonly PublishedEvent[]> {
  const shown = new Map<Resource, 'all' | ReadonlySet<string>>();
  for (const resource of new Set(events.map((event) => event.resource))) {
    const uuids = () => distinctObjects(events.filter((event) => event.resource === resource));
    shown.set(resource, await findVisibleObjects(parts, { resource, uuids, actor }));
  }
  const isShown = ({ resource, objectUuid }: PublishedEvent): boolean => {
    const seen = shown.get(resource);
    return seen === 'all' || (objectUuid !== null && seen?.has(objectUuid) === true);
  };
  const seen = events.every(isShown) ? events : events.filter(isShown);
  const cut = seen.map((event) => trimEvent(event, actor));
  // The same array is returned, so that its rendering can be shared by all readers who see all of it.
  return cut.every((event, at) => event === seen[at]) ? seen : cut;
}

const distinctObjects = (events: readonly PublishedEvent[]): string[] => [
  ...new Set(events.flatMap(({ objectUuid }) => objectUuid ?? [])),
];

interface VisibilityQuery {
  readonly resource: Resource;
  readonly uuids: () => readonly string[];
  readonly actor: Actor;
}

async function findVisibleObjects(
  { executor, objectNames }: VisibilityParts,
  { resource, uuids, actor }: VisibilityQuery,
): Promise<'all' | ReadonlySet<string>> {
  if (resource === 'certificates') {
    const visible = visibleCertificates({ actor }, 'list');
    return isUnlimited(visible.raProfiles) ? 'all' : findListedCertificates(executor, uuids(), visible);
  }
  const filter = visibleObjects(actor.permissions, resource, 'list');
  if (isUnlimited(filter)) return 'all';
  const listed = showsAny(filter) ? uuids().filter((uuid) => isVisible(filter, uuid)) : [];
  if (listed.length === 0) return new Set();
  const existing = (await objectNames()[resource]?.(executor, listed)) ?? [];
  return new Set(existing.map(({ uuid }) => uuid));
}
