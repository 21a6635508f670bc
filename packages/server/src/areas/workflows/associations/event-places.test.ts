import { expect, it } from 'vitest';
import { associationProblem, isPlaceOf, placesOfEvent } from './event-places.ts';

it('lets the objects have triggers that the event is about, or that stand for its certificates', () => {
  expect(placesOfEvent('certificate_expiring')).toEqual(['raProfiles', 'groups']);
  expect(placesOfEvent('certificate_not_compliant')).toEqual(['raProfiles']);
  expect(placesOfEvent('certificate_discovered')).toEqual(['discoveries']);
  expect(placesOfEvent('discovery_finished')).toEqual(['discoveries']);
  expect(placesOfEvent('approval_closed')).toEqual([]);
  expect(isPlaceOf('certificate_expiring', 'certificates')).toBe(false);
});

it('takes triggers about what the event is about, for this event or for any', () => {
  const trigger = { name: 't', resource: 'certificates', event: null } as const;
  expect(associationProblem(trigger, 'certificate_expiring')).toBeUndefined();
  expect(associationProblem({ ...trigger, event: 'certificate_expiring' }, 'certificate_expiring')).toBeUndefined();
  expect(associationProblem({ ...trigger, event: 'certificate_discovered' }, 'certificate_expiring')).toContain(
    'not for',
  );
  expect(associationProblem(trigger, 'approval_closed')).toContain('about approvals');
});
