// Saves a trigger's assignments. Each object has a list of triggers per event, which is replaced as a whole.
import type { PlacedTrigger, ResourceEvent } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { keyOfScope, assignmentsFor, type TriggerScope } from './trigger-values.ts';
import type { Undoable } from './undoable.ts';

export interface AssignmentChange {
  readonly trigger: Pick<PlacedTrigger, 'uuid' | 'places'>;
  readonly event: ResourceEvent | null;
  /** New set of assignments for this event. */
  readonly to: readonly TriggerScope[];
}

/**
 * Changes a trigger's assignments. Unchanged assignments are not written, because replacing a list makes its actions
 * run with the current user's permissions.
 */
export async function updateAssignments({ trigger, event, to }: AssignmentChange, work: Undoable): Promise<void> {
  if (event === null) return;
  const from = assignmentsFor(trigger, event);
  const isIn = (places: readonly TriggerScope[], place: TriggerScope): boolean =>
    places.some((each) => keyOfScope(each) === keyOfScope(place));
  for (const place of from.filter((each) => !isIn(to, each)))
    await replaceTriggers({ place, event }, (uuids) => uuids.filter((uuid) => uuid !== trigger.uuid), work);
  for (const place of to.filter((each) => !isIn(from, each)))
    await replaceTriggers(
      { place, event },
      (uuids) => [...uuids.filter((uuid) => uuid !== trigger.uuid), trigger.uuid],
      work,
    );
}

interface EventAssignment {
  readonly place: TriggerScope;
  readonly event: ResourceEvent;
}

async function replaceTriggers(
  of: EventAssignment,
  change: (uuids: readonly string[]) => readonly string[],
  work: Undoable,
): Promise<void> {
  const former = await read(of);
  await write(of, change(former));
  work.undoBy(() => write(of, former));
}

async function read({ place: { resource, objectUuid }, event }: EventAssignment): Promise<readonly string[]> {
  if (resource === undefined || objectUuid === undefined)
    return (await api.eventSettings.getEventsSettings()).eventsMapping[event] ?? [];
  const params = { resource, associationObjectUuid: objectUuid };
  return (await api.workflowTriggers.getEventTriggersAssociations({ params }))[event] ?? [];
}

async function write({ place: { resource, objectUuid }, event }: EventAssignment, uuids: readonly string[]) {
  const triggerUuids = [...uuids];
  if (resource === undefined || objectUuid === undefined)
    await api.eventSettings.updateEventSettings({ body: { event, triggerUuids } });
  else await api.workflowTriggers.associateEventTriggers({ body: { event, resource, objectUuid, triggerUuids } });
}
