import { expect, it } from 'vitest';
import { associationProblem, isResourceOf, resourcesOfEvent } from './event-resources.ts';

it('allows triggers on the objects that the event refers to, and on the objects that its certificates belong to', () => {
  expect(resourcesOfEvent('certificate_expiring')).toEqual(['raProfiles', 'groups']);
  expect(resourcesOfEvent('certificate_not_compliant')).toEqual(['raProfiles']);
  expect(resourcesOfEvent('certificate_discovered')).toEqual(['discoveries']);
  expect(resourcesOfEvent('discovery_finished')).toEqual(['discoveries']);
  expect(resourcesOfEvent('approval_closed')).toEqual([]);
  expect(isResourceOf('certificate_expiring', 'certificates')).toBe(false);
});

it("accepts triggers for the event's resource, for this event or for any event", () => {
  const trigger = { name: 't', resource: 'certificates', event: null } as const;
  expect(associationProblem(trigger, 'certificate_expiring')).toBeUndefined();
  expect(associationProblem({ ...trigger, event: 'certificate_expiring' }, 'certificate_expiring')).toBeUndefined();
  expect(associationProblem({ ...trigger, event: 'certificate_discovered' }, 'certificate_expiring')).toContain(
    'not to certificate_expiring',
  );
  expect(associationProblem(trigger, 'approval_closed')).toContain('event approval_closed applies to approvals');
});
