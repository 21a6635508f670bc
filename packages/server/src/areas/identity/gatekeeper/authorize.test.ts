import type { Access, Permission } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import {
  allPermissions,
  anonymous,
  coreActor,
  noPermissions,
  type Actor,
  type PermissionSet,
} from '../../../kernel/actor.ts';
import { permissionResources } from '../permissions/catalogue.ts';
import { mergePermissions } from '../permissions/domain.ts';
import { allowedListings, judge, requirementsOf } from './authorize.ts';

const user = (permissions: PermissionSet): Actor => ({
  type: 'user',
  authMethod: 'session',
  userUuid: '0192d3a0-0000-7000-8000-000000000001',
  username: 'alice',
  permissions,
});

const holding = (...rows: (readonly [string | null, string | null])[]): Actor =>
  user(mergePermissions(rows.map(([resource, action]) => ({ resource, action }))));

const verdict = (
  actor: Actor,
  access: Access | undefined,
  facts: { params?: Record<string, string>; mayBootstrap?: boolean } = {},
) => judge(actor, { access, params: facts.params ?? {}, mayBootstrap: facts.mayBootstrap ?? false }).kind;

const listGroups: Permission = { resource: 'groups', action: 'list' };
const getRaProfile: Permission = {
  resource: 'raProfiles',
  action: 'detail',
  object: 'raProfileUuid',
  parent: { resource: 'authorities', action: 'detail', object: 'authorityUuid' },
};

describe('authorization', () => {
  it('lets everybody call public operations', () => {
    expect([verdict(anonymous, 'public'), verdict(user(noPermissions), 'public')]).toEqual(['allowed', 'allowed']);
  });

  it('asks anonymous callers to sign in for everything else', () => {
    for (const access of ['authenticated', 'bootstrap', listGroups, undefined] as const) {
      expect(verdict(anonymous, access)).toBe('unauthenticated');
    }
  });

  it('lets whoever is signed in call operations that need no permission', () => {
    expect(verdict(user(noPermissions), 'authenticated')).toBe('allowed');
  });

  it('denies an operation without access facts to everybody', () => {
    expect([verdict(user(allPermissions), undefined), verdict(coreActor, undefined)]).toEqual(['denied', 'denied']);
  });

  it('opens bootstrap operations to local callers without an administrator only', () => {
    expect(verdict(anonymous, 'bootstrap', { mayBootstrap: true })).toBe('allowed');
    expect(verdict(user(allPermissions), 'bootstrap')).toBe('denied');
  });

  it('does not open other operations to a bootstrap caller', () => {
    expect(verdict(anonymous, listGroups, { mayBootstrap: true })).toBe('unauthenticated');
  });

  it('asks for exactly the action of the resource', () => {
    expect(verdict(holding(['groups', 'list']), listGroups)).toBe('allowed');
    expect(verdict(holding(['groups', null]), listGroups)).toBe('allowed');
    expect(verdict(holding([null, null]), listGroups)).toBe('allowed');
    expect(verdict(holding(['groups', 'detail']), listGroups)).toBe('denied');
    expect(verdict(holding(['users', 'list']), listGroups)).toBe('denied');
  });

  it('takes any action of the resource for ANY', () => {
    const any: Permission = { resource: 'raProfiles', action: 'ANY' };
    expect(verdict(holding(['raProfiles', 'update']), any)).toBe('allowed');
    expect(verdict(holding(['authorities', 'update']), any)).toBe('denied');
  });

  it('asks for the permission on the parent as well, and names what is missing', () => {
    const params = { authorityUuid: 'a', raProfileUuid: 'r' };
    const ask = (actor: Actor) => judge(actor, { access: getRaProfile, params, mayBootstrap: false });
    expect(ask(holding(['raProfiles', 'detail'], ['authorities', 'detail'])).kind).toBe('allowed');
    expect(ask(holding(['raProfiles', 'detail']))).toEqual({
      kind: 'denied',
      missing: { resource: 'authorities', action: 'detail', objects: ['a'] },
    });
    expect(ask(holding(['authorities', 'detail']))).toEqual({
      kind: 'denied',
      missing: { resource: 'raProfiles', action: 'detail', objects: ['r'] },
    });
  });

  it('names no object that the path does not name', () => {
    expect(requirementsOf(getRaProfile, {})).toEqual([
      { resource: 'authorities', action: 'detail', objects: [] },
      { resource: 'raProfiles', action: 'detail', objects: [] },
    ]);
  });
});

describe('allowed listings', () => {
  const listings = (actor: Actor) => allowedListings(actor.permissions);

  it('holds nothing without permissions and everything for an administrator', () => {
    expect(listings(user(noPermissions))).toEqual([]);
    expect(listings(user(allPermissions))).toEqual([...permissionResources]);
  });

  it('holds a resource exactly when its list operation would be allowed, parent included', () => {
    expect(listings(holding(['connectors', 'list'], ['authorities', 'detail']))).toEqual(['connectors']);
    expect(listings(holding(['raProfiles', 'list']))).toEqual([]);
    expect(listings(holding(['raProfiles', 'list'], ['authorities', 'list']))).toEqual(['authorities', 'raProfiles']);
  });
});
