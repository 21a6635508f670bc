// Which triggers can be asked about which event, and where. Pure.
import { resourceEventFacts, type Resource, type ResourceEvent } from '@signetry/contract';
import type { OverridingResource, TriggerRow } from '../tables.ts';

const OVERRIDING: readonly OverridingResource[] = ['raProfiles', 'groups', 'discoveries'];

/** Resources whose objects can have triggers of their own for the event. */
export const placesOfEvent = (event: ResourceEvent): readonly OverridingResource[] => {
  const { resource, overridingResources } = resourceEventFacts[event];
  return OVERRIDING.filter((each) => each === resource || overridingResources.includes(each));
};

export const isPlaceOf = (event: ResourceEvent, resource: Resource): resource is OverridingResource =>
  (placesOfEvent(event) as readonly Resource[]).includes(resource);

/** Why the trigger cannot be asked about the event; undefined when it can. */
export function associationProblem(
  { name, resource, event: own }: Pick<TriggerRow, 'name' | 'resource' | 'event'>,
  event: ResourceEvent,
): string | undefined {
  const { resource: ofEvent } = resourceEventFacts[event];
  if (resource !== ofEvent) return `Trigger ${name} is about ${resource}, and the event ${event} about ${ofEvent}.`;
  return own === null || own === event ? undefined : `Trigger ${name} is for the event ${own}, not for ${event}.`;
}
