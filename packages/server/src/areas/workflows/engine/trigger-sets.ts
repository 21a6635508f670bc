// Triggers evaluated for an event. The triggers of each of the object's groups, of its RA profile and of the platform
// form separate sets. Discovered certificates are evaluated with a single set: the discovery's triggers, followed by
// the platform's.
import { createHash } from 'node:crypto';
import { ResourceEvent, resourceEventFacts } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import { readAssociations, readRevision, type Association } from '../definitions/read-sets.ts';
import type { OverridingResource } from '../tables.ts';
import type { RequestedTrigger } from './tables.ts';

/** Triggers that are evaluated together. */
export interface TriggerSet {
  readonly event: ResourceEvent;
  /** Absent for the platform's triggers. */
  readonly of: { readonly resource: OverridingResource; readonly objectUuid: string } | undefined;
  /** Starts with the ignore triggers. */
  readonly triggers: readonly RequestedTrigger[];
  /** Digest of the whole set. */
  readonly digest: Buffer;
}

/** Object properties that determine which triggers apply to the object. */
export interface Scope {
  readonly groupUuids: readonly string[];
  readonly raProfileUuid: string | null;
  readonly discoveryUuid?: string | undefined;
}

export interface SetsOfEvent {
  /** Whether some sets belong to individual objects, so that the scope must be known. */
  readonly needsScope: boolean;
  find(scope: Scope): readonly TriggerSet[];
}

export type TriggerSets = ReturnType<typeof createTriggerSets>;

/** Caches the trigger sets until the definitions are changed on any node. */
export function createTriggerSets() {
  let revision: number | undefined;
  let sets = new Map<ResourceEvent, SetsOfEvent>();

  return {
    /** Returns the sets by event, omitting events without triggers. */
    async current(executor: Executor): Promise<ReadonlyMap<ResourceEvent, SetsOfEvent>> {
      const now = await readRevision(executor);
      if (now === revision) return sets;
      const read = new Map<ResourceEvent, SetsOfEvent>();
      for (const event of ResourceEvent.options) {
        const associations = await readAssociations(executor, event);
        if (associations.length > 0) read.set(event, setsOf(event, associations));
      }
      sets = read;
      revision = now;
      return sets;
    },
  };
}

function setsOf(event: ResourceEvent, associations: readonly Association[]): SetsOfEvent {
  const keyOf = (of: Association['of']): string => (of ? `${of.resource} ${of.objectUuid}` : '');
  const byPlace = Map.groupBy(associations, ({ of }) => keyOf(of));
  const made = new Map<string, TriggerSet>();
  const setOf = (of: Association['of'], parts: readonly Association[]): TriggerSet => {
    const known = made.get(keyOf(of));
    if (known) return known;
    const triggers = parts
      .map(toRequestedTrigger)
      .toSorted((a, b) => Number(b.trigger.ignore_trigger) - Number(a.trigger.ignore_trigger));
    const set = { event, of, triggers, digest: digestOf({ event, of, triggers }) };
    made.set(keyOf(of), set);
    return set;
  };
  const setsOfObject = (of: Association['of']): TriggerSet[] => {
    const parts = byPlace.get(keyOf(of));
    return parts ? [setOf(of, parts)] : [];
  };
  const isMerged = resourceEventFacts[event].overridingResources.includes('discoveries');
  return {
    needsScope: !isMerged && associations.some(({ of }) => of !== undefined),
    find({ groupUuids, raProfileUuid, discoveryUuid }) {
      if (isMerged) {
        const of =
          discoveryUuid === undefined ? undefined : ({ resource: 'discoveries', objectUuid: discoveryUuid } as const);
        const parts = [...(of ? (byPlace.get(keyOf(of)) ?? []) : []), ...(byPlace.get('') ?? [])];
        return parts.length === 0 ? [] : [setOf(of, parts)];
      }
      return [
        ...groupUuids.flatMap((objectUuid) => setsOfObject({ resource: 'groups', objectUuid })),
        ...(raProfileUuid === null ? [] : setsOfObject({ resource: 'raProfiles', objectUuid: raProfileUuid })),
        ...setsOfObject(undefined),
      ];
    },
  };
}

const toRequestedTrigger = ({ uuid, trigger, triggeredByUuid, triggeredBy }: Association): RequestedTrigger => ({
  associationUuid: uuid,
  triggeredByUuid,
  triggeredBy,
  trigger,
});

const digestOf = (set: Omit<TriggerSet, 'digest'>): Buffer => createHash('sha256').update(JSON.stringify(set)).digest();
