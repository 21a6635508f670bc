import { permissionResources } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { effectivePermissions, type GrantingRole } from './effective.ts';

/** Returns a role: `groups list` on the resource, `groups list a -` on an object; `*` stands for everything. */
const role = (name: string, ...rows: string[]): GrantingRole => {
  const split = rows.map((row) => row.split(' '));
  return {
    role: { uuid: name, name },
    rows: split
      .filter(({ length }) => length < 3)
      .map(([resource, action]) => ({
        resource: resource === '*' ? null : (resource ?? ''),
        action: action === '*' || action === undefined ? null : action,
      })),
    objectRows: split.flatMap(([resource = '', action = '', object_uuid, sign]) =>
      object_uuid === undefined ? [] : [{ resource, action, object_uuid, denied: sign === '-' }],
    ),
  };
};
const names = new Map([
  ['a', 'Alpha'],
  ['b', 'Beta'],
]);
const from = (level: string, ...roles: string[]) => roles.map((name) => ({ role: { uuid: name, name }, level }));

describe('effective permissions', () => {
  it('list, for each action, the roles that allow it and how they allow it', () => {
    const { resources } = effectivePermissions(
      [role('reader', 'groups list', 'groups detail'), role('keeper', 'groups *'), role('root', '*')],
      names,
    );
    const groups = resources.find(({ name }) => name === 'groups');
    expect(groups?.allowAllActions).toBe(true);
    expect(groups?.actions[0]).toEqual({
      name: 'list',
      from: [...from('action', 'reader'), ...from('allActions', 'keeper'), ...from('allResources', 'root')],
    });
    expect(groups?.actions.find(({ name }) => name === 'delete')?.from).toEqual([
      ...from('allActions', 'keeper'),
      ...from('allResources', 'root'),
    ]);
  });

  it('show the resulting permissions on an object: a denial by any role takes precedence', () => {
    const roles = [role('first', 'groups list', 'groups update a +'), role('second', 'groups list a -')];
    expect(effectivePermissions(roles, names)).toEqual({
      allowAllResources: false,
      resources: [
        {
          name: 'groups',
          allowAllActions: false,
          actions: [{ name: 'list', from: from('action', 'first') }],
          objects: [{ uuid: 'a', name: 'Alpha', allow: ['update'], deny: ['list'] }],
        },
      ],
      allowedListings: ['certificates', 'groups', 'keys'],
    });
  });

  it('include every resource for a role that allows everything, and nothing for a caller without a role', () => {
    const everything = effectivePermissions([role('root', '*')], names);
    expect(everything.allowAllResources).toBe(true);
    expect(everything.resources.map(({ name }) => name)).toEqual([...permissionResources]);
    expect(effectivePermissions([], names)).toEqual({
      allowAllResources: false,
      resources: [],
      allowedListings: ['certificates', 'keys'],
    });
  });
});
