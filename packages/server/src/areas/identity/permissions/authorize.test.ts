import {
  permissionResources,
  type Access,
  type AdditionalPermission,
  type Operation,
  type Permission,
} from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  allPermissions,
  anonymous,
  coreActor,
  noPermissions,
  type Actor,
  type PermissionSet,
} from '../../../kernel/actor.ts';
import { mergePermissions } from './permission-rows.ts';
import { allowedListings, evaluateAccess, requirementsOf, visibleResponse } from './authorize.ts';

const user = (permissions: PermissionSet): Actor => ({
  type: 'user',
  authMethod: 'session',
  userUuid: '0192d3a0-0000-7000-8000-000000000001',
  username: 'alice',
  permissions,
});

const holding = (...rows: (readonly [string | null, string | null])[]): Actor =>
  user(mergePermissions(rows.map(([resource, action]) => ({ resource, action }))));

/** Returns an actor with permissions on individual groups, in addition to those on whole resources. */
const holdingObjects = (
  objects: readonly (readonly [string, 'list' | 'detail' | 'update', 'allowed' | 'denied'])[],
  ...rows: (readonly [string | null, string | null])[]
): Actor =>
  user(
    mergePermissions(
      rows.map(([resource, action]) => ({ resource, action })),
      objects.map(([object_uuid, action, effect]) => ({
        resource: 'groups',
        object_uuid,
        action,
        denied: effect === 'denied',
      })),
    ),
  );

const verdict = (
  actor: Actor,
  access: Access | undefined,
  facts: { params?: Record<string, string>; objects?: string[]; mayBootstrap?: boolean } = {},
) => evaluateAccess(actor, { access, params: {}, mayBootstrap: false, ...facts }).kind;

const listGroups: Permission = { resource: 'groups', action: 'list' };
const getRaProfile: Permission = {
  resource: 'raProfiles',
  action: 'detail',
  object: 'raProfileUuid',
  parent: { resource: 'authorities', action: 'detail', object: 'authorityUuid' },
};

describe('authorization', () => {
  it('allows everyone to call public operations', () => {
    expect([verdict(anonymous, 'public'), verdict(user(noPermissions), 'public')]).toEqual(['allowed', 'allowed']);
  });

  it('requires anonymous callers to sign in for everything else', () => {
    for (const access of ['authenticated', 'bootstrap', listGroups, undefined] as const) {
      expect(verdict(anonymous, access)).toBe('unauthenticated');
    }
  });

  it('allows signed-in callers to call operations that require no permission', () => {
    expect(verdict(user(noPermissions), 'authenticated')).toBe('allowed');
  });

  it('denies everyone access to an operation without an access declaration', () => {
    expect([verdict(user(allPermissions), undefined), verdict(coreActor, undefined)]).toEqual(['denied', 'denied']);
  });

  it('allows bootstrap operations only for local callers, and only while there is no administrator', () => {
    expect(verdict(anonymous, 'bootstrap', { mayBootstrap: true })).toBe('allowed');
    expect(verdict(user(allPermissions), 'bootstrap')).toBe('denied');
  });

  it('does not allow a bootstrap caller any other operation', () => {
    expect(verdict(anonymous, listGroups, { mayBootstrap: true })).toBe('unauthenticated');
  });

  it('requires exactly the action on the resource', () => {
    expect(verdict(holding(['groups', 'list']), listGroups)).toBe('allowed');
    expect(verdict(holding(['groups', null]), listGroups)).toBe('allowed');
    expect(verdict(holding([null, null]), listGroups)).toBe('allowed');
    expect(verdict(holding(['groups', 'detail']), listGroups)).toBe('denied');
    expect(verdict(holding(['users', 'list']), listGroups)).toBe('denied');
  });

  it('accepts any action on the resource if the operation requires ANY', () => {
    const any: Permission = { resource: 'raProfiles', action: 'ANY' };
    expect(verdict(holding(['raProfiles', 'update']), any)).toBe('allowed');
    expect(verdict(holding(['authorities', 'update']), any)).toBe('denied');
  });

  it('also requires the permission on the parent, and names the missing permission', () => {
    const params = { authorityUuid: 'a', raProfileUuid: 'r' };
    const ask = (actor: Actor) => evaluateAccess(actor, { access: getRaProfile, params, mayBootstrap: false });
    expect(ask(holding(['raProfiles', 'detail'], ['authorities', 'detail'])).kind).toBe('allowed');
    expect(ask(holding(['raProfiles', 'detail']))).toEqual({
      kind: 'denied',
      missing: [{ resource: 'authorities', action: 'detail', objects: ['a'] }],
    });
    expect(ask(holding(['authorities', 'detail']))).toEqual({
      kind: 'denied',
      missing: [{ resource: 'raProfiles', action: 'detail', objects: ['r'] }],
    });
  });

  it('requires additional permissions on the objects named in the path and in the body', () => {
    const also: readonly AdditionalPermission[] = [
      { resource: 'groups', action: 'detail', named: 'inside.groupUuids' },
      { resource: 'roles', action: 'detail', object: 'roleUuid' },
      { resource: 'users', action: 'detail', named: '$' },
      { resource: 'certificates', action: 'detail', where: 'the use case finds out' },
    ];
    const ask = (actor: Actor, body: unknown) =>
      evaluateAccess(actor, { access: 'authenticated', also, params: { roleUuid: 'r' }, body, mayBootstrap: false });
    const mayRoles = ['roles', 'detail'] as const;
    expect(ask(holding(mayRoles), undefined).kind).toBe('allowed');
    expect(ask(holding(), undefined)).toEqual({
      kind: 'denied',
      missing: [{ resource: 'roles', action: 'detail', objects: ['r'] }],
    });
    for (const harmless of [{}, { inside: 'x' }, { inside: { groupUuids: ['', 7] } }, { inside: { groupUuids: '' } }])
      expect(ask(holding(mayRoles), harmless).kind).toBe('allowed');
    const some = holdingObjects([['g', 'detail', 'allowed']], mayRoles);
    expect(ask(some, { inside: { groupUuids: ['G'] } }).kind).toBe('allowed');
    expect(ask(some, { inside: { groupUuids: ['g', 'h'] } })).toEqual({
      kind: 'denied',
      missing: [{ resource: 'groups', action: 'detail', objects: ['g', 'h'] }],
    });
    expect(ask(holding(mayRoles), ['u']).kind).toBe('denied');
    const inList = { also: [{ resource: 'groups', action: 'detail', named: 'all.one.uuid' }] } as const;
    const all = [{ one: { uuid: 'g' } }, { one: 'x' }, null, { one: [{ uuid: 'h' }] }];
    expect(
      evaluateAccess(some, { access: 'authenticated', ...inList, params: {}, body: { all }, mayBootstrap: false }),
    ).toEqual({
      kind: 'denied',
      missing: [{ resource: 'groups', action: 'detail', objects: ['g', 'h'] }],
    });
  });

  it('requires permission on the resource named in the path, and rejects unknown resources', () => {
    const access: Permission = { resource: '{resourceName}', action: 'list', filtered: true };
    const ask = (actor: Actor, resourceName: string) => verdict(actor, access, { params: { resourceName } });
    expect(ask(holding(['groups', 'list']), 'groups')).toBe('allowed');
    expect(ask(holding(['groups', 'list']), 'users')).toBe('denied');
    expect(ask(holding(['groups', 'list']), 'nothing')).toBe('denied');
  });

  it('does not require permissions on objects that the path does not name', () => {
    expect(requirementsOf(getRaProfile, {})).toEqual([
      { resource: 'authorities', action: 'detail', objects: [] },
      { resource: 'raProfiles', action: 'detail', objects: [] },
    ]);
  });
});

describe('permissions on individual objects', () => {
  const detail: Permission = { resource: 'groups', action: 'detail', object: 'uuid' };
  const filteredList: Permission = { resource: 'groups', action: 'list', filtered: true };
  const any: Permission = { resource: 'groups', action: 'ANY', object: 'uuid' };
  const of = (uuid: string) => ({ params: { uuid } });

  it('grant access only to that object', () => {
    const actor = holdingObjects([['a', 'detail', 'allowed']]);
    expect([verdict(actor, detail, of('a')), verdict(actor, detail, of('A')), verdict(actor, detail, of('b'))]).toEqual(
      ['allowed', 'allowed', 'denied'],
    );
    expect(verdict(actor, { resource: 'groups', action: 'update', object: 'uuid' }, of('a'))).toBe('denied');
  });

  it('override all roles, even full permissions, if they deny access', () => {
    for (const rows of [[['groups', 'detail']], [['groups', null]], [[null, null]]] as [
      string | null,
      string | null,
    ][][]) {
      const actor = holdingObjects(
        [
          ['a', 'detail', 'denied'],
          ['a', 'detail', 'allowed'],
        ],
        ...rows,
      );
      expect([verdict(actor, detail, of('a')), verdict(actor, detail, of('b'))]).toEqual(['denied', 'allowed']);
    }
  });

  it('do not permit operations on the whole resource', () => {
    const actor = holdingObjects([
      ['a', 'list', 'allowed'],
      ['a', 'update', 'allowed'],
    ]);
    expect(verdict(actor, listGroups)).toBe('denied');
    expect(verdict(actor, { resource: 'groups', action: 'update' })).toBe('denied');
  });

  it('grant access to filtered lists, including those of a parent', () => {
    const actor = holdingObjects([['a', 'list', 'allowed']], ['users', 'list']);
    expect(verdict(actor, filteredList)).toBe('allowed');
    expect(verdict(actor, { resource: 'users', action: 'list', parent: filteredList })).toBe('allowed');
    expect(
      verdict(
        holdingObjects([
          ['a', 'list', 'allowed'],
          ['a', 'list', 'denied'],
        ]),
        filteredList,
      ),
    ).toBe('denied');
  });

  it('are required for every object named in the body', () => {
    const bulk: Permission = { resource: 'groups', action: 'update' };
    const actor = holdingObjects([
      ['a', 'update', 'allowed'],
      ['b', 'update', 'allowed'],
      ['c', 'update', 'denied'],
    ]);
    expect(verdict(actor, bulk, { objects: ['a', 'b'] })).toBe('allowed');
    expect(verdict(actor, bulk, { objects: ['a', 'c'] })).toBe('denied');
    expect(verdict(actor, bulk, { objects: ['a', 'x'] })).toBe('denied');
    const most = holdingObjects([['c', 'update', 'denied']], ['groups', 'update']);
    expect([verdict(most, bulk, { objects: ['a', 'x'] }), verdict(most, bulk, { objects: ['a', 'c'] })]).toEqual([
      'allowed',
      'denied',
    ]);
  });

  it('satisfy ANY with any action on the object', () => {
    const actor = holdingObjects([['a', 'update', 'allowed']]);
    expect([verdict(actor, any, of('a')), verdict(actor, any, of('b'))]).toEqual(['allowed', 'denied']);
    expect(verdict(actor, { resource: 'groups', action: 'ANY' })).toBe('allowed');
    expect(verdict(holdingObjects([['a', 'update', 'denied']]), any, of('a'))).toBe('denied');
  });

  it("on groups grant access through any of the object's groups, unless one of these groups is denied", () => {
    const members: Permission = { resource: 'groups', action: 'members' };
    const rows = (denied: string[]) => [
      { resource: 'groups', object_uuid: 'a', action: 'members', denied: false },
      ...denied.map((object_uuid) => ({ resource: 'groups', object_uuid, action: 'members', denied: true })),
    ];
    const ask = (denied: string[], ...objects: string[]) =>
      verdict(user(mergePermissions([], rows(denied))), members, { objects });
    expect([ask([], 'a', 'b'), ask([], 'b'), ask(['b'], 'a', 'b'), ask(['c'], 'a', 'b')]).toEqual([
      'allowed',
      'denied',
      'denied',
      'allowed',
    ]);
  });
});

describe('a list response', () => {
  const list: Operation = {
    id: 'list', summary: '', tag: '', method: 'GET', path: '/', errors: [],
    success: { status: 200, body: z.array(z.object({ uuid: z.string() })) },
    access: { resource: 'groups', action: 'list', filtered: true },
  }; // prettier-ignore
  const all = ['a', 'b', 'c'].map((uuid) => ({ uuid }));
  const shown = (actor: Actor, operation: Operation = list) =>
    (visibleResponse(actor.permissions, operation, all) as typeof all).map(({ uuid }) => uuid).join('');

  it('contains the objects that the caller can list', () => {
    expect(shown(holding(['groups', 'list']))).toBe('abc');
    expect(
      shown(
        holdingObjects([
          ['b', 'list', 'allowed'],
          ['c', 'detail', 'allowed'],
        ]),
      ),
    ).toBe('b');
    expect(shown(holdingObjects([['b', 'list', 'denied']], ['groups', 'list']))).toBe('ac');
    expect(shown(holdingObjects([['b', 'list', 'denied']], [null, null]))).toBe('ac');
  });

  it('is not filtered if the area filters it itself, or if no filter is declared', () => {
    const access = { resource: 'groups', action: 'list' } as const;
    expect(shown(holdingObjects([['b', 'list', 'allowed']]), { ...list, access })).toBe('abc');
  });
});

describe('allowed listings', () => {
  /** Returns the allowed listings, except for resources with owners, which everyone can list. */
  const listings = (actor: Actor) =>
    allowedListings(actor.permissions).filter((each) => each !== 'certificates' && each !== 'keys');

  it('include resources with owners for everyone, and all resources for administrators', () => {
    expect(allowedListings(noPermissions)).toEqual(['certificates', 'keys']);
    expect(listings(user(noPermissions))).toEqual([]);
    expect(allowedListings(allPermissions)).toEqual([...permissionResources]);
  });

  it('include a resource if and only if its list operation is allowed, including the parent', () => {
    expect(listings(holding(['connectors', 'list'], ['authorities', 'detail']))).toEqual(['connectors']);
    expect(listings(holding(['raProfiles', 'list']))).toEqual([]);
    expect(listings(holding(['raProfiles', 'list'], ['authorities', 'list']))).toEqual(['authorities', 'raProfiles']);
  });

  it('include users for callers who are members of any group', () => {
    const member = user(
      mergePermissions([], [{ resource: 'groups', object_uuid: 'a', action: 'members', denied: false }]),
    );
    expect(listings(member)).toEqual(['users']);
    expect(listings(holding(['groups', 'members']))).toEqual(['users']);
  });

  it('include a resource if the caller can list some of its objects', () => {
    expect(listings(holdingObjects([['a', 'list', 'allowed']]))).toEqual(['groups']);
    expect(listings(holdingObjects([['a', 'detail', 'allowed']]))).toEqual([]);
  });
});
