// The resources that definitions are about, and what of each can be compared and set.
import { propertyFields, resourceEventFacts, type Resource } from '@signetry/contract';
import { rejected } from '../../../kernel/errors.ts';
import { propertyField, type FieldLookup } from '../../../kernel/filter/field.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import type { WorkflowSubject } from '../ports.ts';

export type Subjects = ReturnType<typeof createSubjects>;

export function createSubjects(list: readonly WorkflowSubject[]) {
  const byResource = new Map(list.map((subject) => [subject.resource, subject]));
  const known = [...byResource.keys()].join(', ');
  return {
    /** Refuses resources whose objects nobody can look at. */
    require(resource: Resource, what: string): WorkflowSubject {
      const subject = byResource.get(resource);
      if (!subject) throw rejected(`resource: ${what} are about ${known}, not about ${resource}`);
      return subject;
    },
  };
}

/** Does anything happen to the objects of the resource that messages could be about? */
export const hasEvents = (resource: Resource): boolean =>
  Object.values(resourceEventFacts).some((event) => event.resource === resource);

/** Resources whose lists cannot be searched: their objects are looked at one by one, by the fields of the interface. */
export function cataloguedSubject(resource: 'approvals' | 'jobs'): WorkflowSubject {
  const identifiers = Object.keys(propertyFields[resource]) as never[]; // the keys of this resource
  const fields = new Map(identifiers.map((identifier) => [identifier as string, propertyField(resource, identifier)]));
  const lookup: FieldLookup = (source, identifier) => (source === 'property' ? fields.get(identifier) : undefined);
  return {
    resource,
    assertConditions: (items) =>
      void readFilters(
        items.map(({ operator: condition, ...item }) => ({ ...item, condition })),
        { lookup, now: new Date(0) },
      ),
    settable: {},
  };
}
