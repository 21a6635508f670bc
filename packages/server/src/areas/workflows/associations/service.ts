// Associates events with triggers, for the platform and for RA profiles, groups and discoveries. Actions run with the
// permissions of the user who creates the association.
import type {
  EventSettingsDto,
  EventsSettingsDto,
  Resource,
  ResourceEvent,
  TriggerDto,
  TriggerEventAssociationRequestDto,
} from '@signetry/contract';
import { ResourceEvent as events } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isForeignKeyViolation } from '../../../platform/database/database-errors.ts';
import type { ObjectNames, Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { MAX_PARTS } from '../definitions/definition-rules.ts';
import { presentTrigger } from '../definitions/present.ts';
import { nextRevision } from '../definitions/store-revision.ts';
import { triggers } from '../definitions/store.ts';
import type { TriggerRow } from '../tables.ts';
import { associationProblem, isResourceOf, resourcesOfEvent } from './event-resources.ts';
import { findTriggersOf, replaceTriggers, type AssociatedObject } from './store.ts';

export interface AssociationParts {
  readonly audit: AuditTrail;
  /** Returns complete results once all areas have been created. */
  readonly objectNames: () => ObjectNames;
}

/** Triggers to evaluate for an event. */
interface AssociationRequest {
  readonly event: ResourceEvent;
  readonly triggerUuids: readonly string[];
}

/** Event for the triggers that are selected when a discovery is created. */
const DISCOVERED: ResourceEvent = 'certificate_discovered';

export type Associations = ReturnType<typeof createAssociations>;

export function createAssociations(platform: Platform, parts: AssociationParts) {
  const replace = createReplacement(platform);
  return {
    ...createOfObjects(platform, { ...parts, replace }),
    ...createOfPlatform(platform, { ...parts, replace }),
    discoveries: createOfDiscoveries(platform, { replace }),
  };
}

interface ReplacementParts {
  readonly replace: ReturnType<typeof createReplacement>;
}

/**
 * Replaces the trigger sets of one object or of the platform, acquiring locks in the order that all changes use.
 * Returns the triggers.
 */
const createReplacement =
  ({ clock }: Platform) =>
  async (
    tx: Executor,
    { of, sets }: { readonly of: AssociatedObject | undefined; readonly sets: readonly AssociationRequest[] },
    { actor }: RequestContext,
  ): Promise<TriggerRow[]> => {
    const held = await hold(tx, sets);
    await nextRevision(tx);
    const by = { userUuid: actor.userUuid, username: actor.username ?? '' };
    for (const { event, triggerUuids } of sets)
      await replaceTriggers(tx, { event, of, triggerUuids: distinct(triggerUuids), by, at: clock.now() });
    return held;
  };

function createOfObjects({ database }: Platform, { audit, objectNames, replace }: AssociationParts & ReplacementParts) {
  return {
    async associate(request: TriggerEventAssociationRequestDto, context: RequestContext): Promise<void> {
      const { event, resource, triggerUuids } = request;
      if (!isResourceOf(event, resource)) throw rejected(resourceProblem(event, resource));
      const of = { resource, uuid: request.objectUuid.toLowerCase() };
      const isChangeable = isAllowed(context.actor.permissions, resource, 'update', [of.uuid]);
      const [named] = isChangeable ? ((await objectNames()[resource]?.(database.executor, [of.uuid])) ?? []) : [];
      const object = requireFound(named, words[resource], of.uuid);
      await database
        .transaction(async (tx) => {
          const objects = await replace(tx, { of, sets: [{ event, triggerUuids }] }, context);
          await audit.append(tx, context, { objects, affiliated: { resource, objects: [object] }, data: { event } });
        })
        .catch((error: unknown) => {
          throw isForeignKeyViolation(error) ? notFound(words[resource], of.uuid) : error;
        });
    },

    /** Returns an object's triggers, for any resource; most objects have none. */
    async ofObject(resource: Resource, objectUuid: string): Promise<Partial<Record<ResourceEvent, string[]>>> {
      if (!isAssociable(resource)) return {};
      return mappingOf(await findTriggersOf(database.executor, { resource, uuid: objectUuid.toLowerCase() }));
    },
  };
}

function createOfPlatform({ database }: Platform, { audit, replace }: AssociationParts & ReplacementParts) {
  async function replaceSets(
    sets: readonly AssociationRequest[],
    data: object,
    context: RequestContext,
  ): Promise<void> {
    assertVisible(sets, context);
    await database.transaction(async (tx) => {
      await replace(tx, { of: undefined, sets }, context);
      await audit.append(tx, context, { objects: [{ name: 'events' }], data });
    });
  }

  return {
    ofPlatform: async (): Promise<EventsSettingsDto> => ({
      eventsMapping: mappingOf(await findTriggersOf(database.executor, undefined)),
    }),

    /** Replaces the entire previous mapping. */
    replaceEvents: (request: EventsSettingsDto, context: RequestContext): Promise<void> =>
      replaceSets(
        events.options.map((event) => ({ event, triggerUuids: request.eventsMapping[event] ?? [] })),
        request,
        context,
      ),

    changeEvent: (request: EventSettingsDto, context: RequestContext): Promise<void> =>
      replaceSets([request], request, context),
  };
}

/** Discoveries get their triggers when they are created. */
function createOfDiscoveries({ database: { executor } }: Platform, { replace }: ReplacementParts) {
  return {
    /** Rejects triggers that do not exist (404) or do not apply to discovered certificates (422). */
    async assertUsable(triggerUuids: readonly string[], context: RequestContext): Promise<void> {
      const sets = [{ event: DISCOVERED, triggerUuids }];
      assertVisible(sets, context);
      assertCompatible(await triggers.findMany(executor, distinct(triggerUuids)), sets);
    },

    async associate(
      tx: Executor,
      { uuid, triggerUuids }: { readonly uuid: string; readonly triggerUuids: readonly string[] },
      context: RequestContext,
    ): Promise<void> {
      const sets = [{ event: DISCOVERED, triggerUuids }];
      await replace(tx, { of: { resource: 'discoveries', uuid }, sets }, context);
    },

    list: async (uuid: string): Promise<TriggerDto[]> =>
      (await findTriggersOf(executor, { resource: 'discoveries', uuid }))
        .filter((row) => row.associated_event === DISCOVERED)
        .map(presentTrigger),
  };
}

const words = { raProfiles: 'RA profile', groups: 'Group', discoveries: 'Discovery' } as const;

const isAssociable = (resource: Resource): resource is AssociatedObject['resource'] => Object.hasOwn(words, resource);

function resourceProblem(event: ResourceEvent, resource: Resource): string {
  const places = resourcesOfEvent(event);
  return places.length === 0
    ? `resource: event ${event} can have triggers only for the whole platform; set them in the event settings`
    : `resource: event ${event} can have triggers on ${places.join(', ')}, not on ${resource}`;
}

const distinct = (uuids: readonly string[]): string[] => [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];

/** Triggers that the caller cannot see are reported as not found. */
function assertVisible(sets: readonly AssociationRequest[], { actor }: RequestContext): void {
  const hidden = distinct(sets.flatMap((set) => set.triggerUuids)).find(
    (uuid) => !isAllowed(actor.permissions, 'triggers', 'detail', [uuid]),
  );
  if (hidden !== undefined) throw notFound(triggers.what, hidden);
}

/** Locks the triggers against changes until the transaction ends. */
async function hold(tx: Executor, sets: readonly AssociationRequest[]): Promise<TriggerRow[]> {
  const rows = await triggers.lockMany(tx, distinct(sets.flatMap((set) => set.triggerUuids)));
  assertCompatible(rows, sets);
  return rows;
}

function assertCompatible(rows: readonly TriggerRow[], sets: readonly AssociationRequest[]): void {
  const problems: string[] = [];
  for (const { event, triggerUuids } of sets) {
    const wanted = distinct(triggerUuids);
    if (wanted.length > MAX_PARTS) problems.push(`triggerUuids: at most ${MAX_PARTS} are allowed for ${event}`);
    for (const uuid of wanted) {
      const row = requireFound(
        rows.find((each) => each.uuid === uuid),
        triggers.what,
        uuid,
      );
      const problem = associationProblem(row, event);
      if (problem !== undefined) problems.push(problem);
    }
  }
  if (problems.length > 0) throw rejected(...problems);
}

function mappingOf(
  rows: readonly { readonly uuid: string; readonly associated_event: ResourceEvent }[],
): Partial<Record<ResourceEvent, string[]>> {
  const byEvent = Map.groupBy(rows, (row) => row.associated_event);
  return Object.fromEntries([...byEvent].map(([event, of]) => [event, of.map(({ uuid }) => uuid)]));
}
