// Resources to which definitions apply, and the fields of each resource that can be compared and set.
import { resourceEventFacts, type ConditionItemDto, type Resource } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import type { WorkflowSubject } from '../ports.ts';
import { readConditions } from '../read-conditions.ts';

export type Subjects = ReturnType<typeof createSubjects>;

export function createSubjects(list: readonly WorkflowSubject[]) {
  const byResource = new Map(list.map((subject) => [subject.resource, subject]));
  const known = [...byResource.keys()].join(', ');
  return {
    find: (resource: Resource): WorkflowSubject | undefined => byResource.get(resource),
    /** Rejects resources that cannot be evaluated. */
    require(resource: Resource, what: string): WorkflowSubject {
      const subject = byResource.get(resource);
      if (!subject) throw rejected(`resource: ${what} apply to ${known}, not to ${resource}`);
      return subject;
    },
  };
}

/** Rejects conditions that the caller could not use in a search (400), and malformed patterns (422). */
export const assertConditions = (
  { evaluated }: WorkflowSubject,
  items: readonly ConditionItemDto[],
  context: RequestContext,
): void => void readConditions(items, { lookup: evaluated(context).lookup, now: new Date(0) });

/** Whether the resource's objects have events, which messages can describe. */
export const hasEvents = (resource: Resource): boolean =>
  Object.values(resourceEventFacts).some((event) => event.resource === resource);
