// Events for which a trigger can be evaluated, and the objects with which it can be associated. Pure.
import { resourceEventFacts, type Resource, type ResourceEvent } from '@signetry/contract';
import type { OverridingResource, TriggerRow } from '../tables.ts';

const OVERRIDING: readonly OverridingResource[] = ['raProfiles', 'groups', 'discoveries'];

/** Returns the resources whose objects can have separate triggers for the event. */
export const resourcesOfEvent = (event: ResourceEvent): readonly OverridingResource[] => {
  const { resource, overridingResources } = resourceEventFacts[event];
  return OVERRIDING.filter((each) => each === resource || overridingResources.includes(each));
};

export const isResourceOf = (event: ResourceEvent, resource: Resource): resource is OverridingResource =>
  (resourcesOfEvent(event) as readonly Resource[]).includes(resource);

/** Returns the reason why the trigger cannot be evaluated for the event; undefined if it can be evaluated. */
export function associationProblem(
  { name, resource, event: own }: Pick<TriggerRow, 'name' | 'resource' | 'event'>,
  event: ResourceEvent,
): string | undefined {
  const { resource: ofEvent } = resourceEventFacts[event];
  if (resource !== ofEvent) return `Trigger ${name} applies to ${resource}, but event ${event} applies to ${ofEvent}.`;
  return own === null || own === event ? undefined : `Trigger ${name} applies to event ${own}, not to ${event}.`;
}
