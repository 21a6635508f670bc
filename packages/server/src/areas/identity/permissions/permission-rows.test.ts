import {
  actionsOf,
  permissionResources,
  platformOperations,
  type Operation,
  type Permission,
} from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isAllowed, noPermissions } from '../../../kernel/actor.ts';
import { fixedUuid, presentCatalog } from './catalog.ts';
import {
  gainsOf,
  mergePermissions,
  presentPermissions,
  type ObjectPermissionRow,
  type PermissionRow,
} from './permission-rows.ts';

describe('merged permissions', () => {
  it('allow nothing if there are no rows', () => {
    const merged = mergePermissions([]);
    expect(permissionResources.some((resource) => isAllowed(merged, resource, 'list'))).toBe(false);
  });

  it('allow everything if a row names no resource', () => {
    const merged = mergePermissions([{ resource: null, action: null }]);
    expect([merged.allowAllResources, isAllowed(merged, 'users', 'delete')]).toEqual([true, true]);
  });

  it('combine the rows of multiple roles', () => {
    const merged = mergePermissions([
      { resource: 'groups', action: 'list' },
      { resource: 'groups', action: 'detail' },
      { resource: 'users', action: null },
    ]);
    expect(isAllowed(merged, 'groups', 'detail')).toBe(true);
    expect(isAllowed(merged, 'groups', 'delete')).toBe(false);
    expect(isAllowed(merged, 'users', 'delete')).toBe(true);
    expect(isAllowed(merged, 'roles', 'list')).toBe(false);
  });

  it('ignore rows with resources or actions that are unknown to this version', () => {
    const merged = mergePermissions([
      { resource: 'moonBases', action: null },
      { resource: 'groups', action: 'detonate' },
      { resource: null, action: 'list' },
    ]);
    expect(merged).toEqual(noPermissions);
  });
});

describe('presented permissions', () => {
  it('list actions in the order of the catalog, without objects', () => {
    const merged = mergePermissions([
      { resource: 'groups', action: 'update' },
      { resource: 'groups', action: 'list' },
      { resource: 'settings', action: null },
    ]);
    expect(presentPermissions(merged)).toEqual({
      allowAllResources: false,
      resources: [
        { name: 'settings', allowAllActions: true, actions: [], objects: [] },
        { name: 'groups', allowAllActions: false, actions: ['list', 'update'], objects: [] },
      ],
    });
  });
});

/** Returns permissions: `resource action` on the whole resource; `resource action uuid +` or `-` on an object. */
const permissions = (...texts: string[]) => {
  const rows: PermissionRow[] = [];
  const objectRows: ObjectPermissionRow[] = [];
  for (const [resource = '', action = '', object_uuid, effect] of texts.map((text) => text.split(' ')))
    if (object_uuid === undefined) rows.push({ resource, action: action === '*' ? null : action });
    else objectRows.push({ resource, object_uuid, action, denied: effect === '-' });
  return mergePermissions(rows, objectRows);
};

describe('permissions on objects', () => {
  const names = new Map([
    ['a', 'Alpha'],
    ['b', 'Beta'],
  ]);
  const set = permissions(
    'groups list',
    'groups detail a +',
    'groups list a +',
    'groups delete a +',
    'groups delete a -',
    'groups list b -',
    'groups detail gone +',
  );

  it('are shown with the actions that they allow in addition to the resource, without denied actions or deleted objects', () => {
    expect(presentPermissions(set, { names }).resources).toEqual([
      {
        name: 'groups',
        allowAllActions: false,
        actions: ['list'],
        objects: [
          { uuid: 'a', name: 'Alpha', allow: ['detail'], deny: ['delete'] },
          { uuid: 'b', name: 'Beta', allow: [], deny: ['list'] },
        ],
      },
    ]);
  });

  it('also show inherited actions on request', () => {
    const [groups] = presentPermissions(set, { names, withInherited: true }).resources;
    expect(groups?.objects).toEqual([
      { uuid: 'a', name: 'Alpha', allow: ['list', 'detail'], deny: ['delete'] },
      { uuid: 'b', name: 'Beta', allow: [], deny: ['list'] },
    ]);
  });

  it('are ignored if this version does not know the resource or action', () => {
    expect(permissions('moonBases list a +', 'groups detonate a -')).toEqual(noPermissions);
  });

  it.each([
    [[], ['groups list'], ['groups list']],
    [['groups list'], ['groups list'], []],
    [['groups list', 'groups update'], ['groups list'], []],
    [['groups *'], ['groups list'], []],
    [[], ['groups list a +'], ['groups list a']],
    [['groups list'], ['groups list', 'groups list a +'], []],
    [['groups list', 'groups list a -'], ['groups list'], ['groups list a']],
    [['groups list', 'groups list a -'], ['groups list', 'groups list a +'], ['groups list a']],
    [['groups list a +'], ['groups list a -'], []],
  ])('that change from %j to %j gain %j', (before, after, gained) => {
    const gains = gainsOf(permissions(...before), permissions(...after));
    const texts =
      gains === 'everything'
        ? gains
        : gains.map(({ resource, action, object }) => [resource, action, object].filter(Boolean).join(' '));
    expect(texts).toEqual(gained);
  });

  it('report if everything is gained', () => {
    expect(gainsOf(noPermissions, mergePermissions([{ resource: null, action: null }]))).toBe('everything');
  });
});

describe('the permission catalog', () => {
  it('contains every permission that an operation requires', () => {
    const pairs = ({ access, also = [] }: Operation): string[] => {
      const own: readonly Permission[] = typeof access === 'object' ? [access] : [];
      const all = [...own, ...own.flatMap(({ parent }) => parent ?? []), ...also];
      return all.map(({ resource, action }) => `${resource} ${action}`);
    };
    const asked = Object.values<Operation>(platformOperations)
      .flatMap(pairs)
      .filter((pair) => !pair.startsWith('{')) // The path names the resource.
      .filter((pair) => pair !== 'ANY ANY'); // Full permissions.
    const offered = new Set(
      permissionResources.flatMap((resource) => actionsOf(resource).map((action) => `${resource} ${action}`)),
    );
    expect([...new Set(asked)].filter((pair) => !offered.has(pair))).toEqual([]);
  });

  it('assigns each resource and action a UUID that never changes', () => {
    const shown = presentCatalog(() => true);
    const uuids = new Set([
      ...shown.map(({ uuid }) => uuid),
      ...shown.flatMap(({ actions }) => actions.map(({ uuid }) => uuid)),
    ]);
    expect(uuids.size).toBe(
      shown.length + new Set(shown.flatMap(({ actions }) => actions.map(({ name }) => name))).size,
    );
    expect(fixedUuid('resource users')).toBe('cc382e4c-bb4b-8906-8577-c6e40f0e634f');
  });
});
