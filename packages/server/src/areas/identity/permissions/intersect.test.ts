import fc from 'fast-check';
import { actionsOf, type Action, type Resource } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { allPermissions, isAllowed, isVisible, visibleObjects, type PermissionSet } from '../../../kernel/actor.ts';
import { mergePermissions, type ObjectPermissionRow, type PermissionRow } from './permission-rows.ts';
import { intersectPermissions } from './intersect.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(8) + '-0000-0000-0000-000000000000') as [
  string,
  string,
  string,
];
const row = (resource: string | null = null, action: string | null = null): PermissionRow => ({ resource, action });
const onObject = (object_uuid: string, action: string, denied = false): ObjectPermissionRow => ({
  resource: 'groups',
  object_uuid,
  action,
  denied,
});

describe('permissions within a scope', () => {
  it('equal the permissions of one side if the other side allows everything', () => {
    const rights = mergePermissions([row('groups', 'list')], [onObject(A, 'update')]);
    for (const both of [intersectPermissions(rights, allPermissions), intersectPermissions(allPermissions, rights)]) {
      expect(isAllowed(both, 'groups', 'list')).toBe(true);
      expect(isAllowed(both, 'groups', 'update', [A])).toBe(true);
      expect(isAllowed(both, 'groups', 'update', [B])).toBe(false);
      expect(isAllowed(both, 'users', 'list')).toBe(false);
    }
  });

  it('preserve a denial by one side, even if the other side allows everything', () => {
    const denying = mergePermissions([row()], [onObject(A, 'detail', true)]);
    for (const both of [
      intersectPermissions(denying, allPermissions),
      intersectPermissions(mergePermissions([row('groups')]), denying),
    ]) {
      expect(isAllowed(both, 'groups', 'detail', [A])).toBe(false);
      expect(isAllowed(both, 'groups', 'detail', [B])).toBe(true);
    }
  });

  it("on an object combine one side's object permission with the other side's resource permission", () => {
    const both = intersectPermissions(
      mergePermissions([row('groups', 'update')]),
      mergePermissions([], [onObject(A, 'update'), onObject(A, 'delete')]),
    );
    expect(isAllowed(both, 'groups', 'update', [A])).toBe(true);
    expect(isAllowed(both, 'groups', 'update')).toBe(false);
    expect(isAllowed(both, 'groups', 'delete', [A])).toBe(false);
  });

  it('are empty if each side names a different object', () => {
    const both = intersectPermissions(
      mergePermissions([], [onObject(A, 'list')]),
      mergePermissions([], [onObject(B, 'list')]),
    );
    for (const object of [A, B]) expect(isAllowed(both, 'groups', 'list', [object])).toBe(false);
  });
});

const RESOURCES = ['groups', 'connectors', 'users'] as const satisfies readonly Resource[];
const resource = fc.constantFrom(...RESOURCES);
const action = fc.constantFrom<Action>('list', 'detail', 'update', 'delete', 'ANY');
const permissions: fc.Arbitrary<PermissionSet> = fc
  .tuple(
    fc.array(
      fc.tuple(resource, fc.option(action)).map(([r, a]) => row(r, a)),
      { maxLength: 4 },
    ),
    fc.array(
      fc
        .tuple(resource, fc.constantFrom(A, B), action, fc.boolean())
        .map(([r, object, a, denied]) => ({ ...onObject(object, a, denied), resource: r })),
      { maxLength: 5 },
    ),
    fc.integer({ max: 5, min: 0 }),
  )
  .map(([rows, objectRows, all]) => mergePermissions(all === 0 ? [...rows, row()] : rows, objectRows));

describe('for any two permission sets', () => {
  it('an action is allowed if and only if both sets allow it', () => {
    const objects = fc.subarray([A, B, C]);
    fc.assert(
      fc.property(permissions, permissions, resource, action, objects, (one, other, asked, wanted, named) => {
        if (!actionsOf(asked).includes(wanted)) return;
        const both = isAllowed(one, asked, wanted, named) && isAllowed(other, asked, wanted, named);
        const within = isAllowed(intersectPermissions(one, other), asked, wanted, named);
        // `ANY` matches any action, `members` any of the groups: two sets can each allow some, but none in common.
        const isAnyOf = wanted === 'ANY' || (asked === 'groups' && wanted === 'members');
        if (isAnyOf) expect(within && !both).toBe(false);
        else expect(within).toBe(both);
      }),
      { numRuns: 3_000 },
    );
  });

  it('a list shows nothing that either set hides', () => {
    fc.assert(
      fc.property(permissions, permissions, resource, action, (one, other, asked, wanted) => {
        const within = visibleObjects(intersectPermissions(one, other), asked, wanted);
        for (const object of [A, B, C])
          if (isVisible(within, object))
            for (const each of [one, other]) expect(isVisible(visibleObjects(each, asked, wanted), object)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
