// The resources that definitions are about, and what of each can be compared and set.
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
    /** Refuses resources whose objects nobody can look at. */
    require(resource: Resource, what: string): WorkflowSubject {
      const subject = byResource.get(resource);
      if (!subject) throw rejected(`resource: ${what} are about ${known}, not about ${resource}`);
      return subject;
    },
  };
}

/** Refuses conditions that the caller could not search by (400), and patterns that are none (422). */
export const assertConditions = (
  { evaluated }: WorkflowSubject,
  items: readonly ConditionItemDto[],
  context: RequestContext,
): void => void readConditions(items, { lookup: evaluated(context).lookup, now: new Date(0) });

/** Does anything happen to the objects of the resource that messages could be about? */
export const hasEvents = (resource: Resource): boolean =>
  Object.values(resourceEventFacts).some((event) => event.resource === resource);
