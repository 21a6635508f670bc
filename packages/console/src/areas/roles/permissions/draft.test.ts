// A role's permissions while they are edited, and the requests that save them.
import { describe, expect, it } from 'vitest';
import {
  draftOf,
  grantOf,
  nextRight,
  resourceOf,
  withActionToggled,
  withAllActions,
  withAllResources,
  withObjectRight,
  type Draft,
} from './draft.ts';
import { changesBetween, MAX_OBJECTS, savePlanOf } from './save-plan.ts';

const server = { uuid: '1', name: 'servers' };
const given = draftOf({
  allowAllResources: false,
  resources: [
    {
      name: 'groups',
      allowAllActions: false,
      actions: ['list'],
      objects: [
        { uuid: '1', name: 'servers', allow: ['list', 'update'], deny: ['delete'] },
        { uuid: '2', name: 'clients', allow: ['list'], deny: [] },
      ],
    },
    { name: 'users', allowAllActions: false, actions: ['detail'], objects: [] },
  ],
});
const update = (draft: Draft, right: 'allow' | 'deny' | undefined) =>
  withObjectRight(draft, 'groups', { objects: [server], action: 'update', right });

describe('a permission draft', () => {
  it("distinguishes an object's own permissions from those granted on its resource", () => {
    expect([...resourceOf(given, 'groups').objects]).toEqual([
      ['1', { name: 'servers', rights: new Map([['update', 'allow'], ['delete', 'deny']]) }],
    ]); // prettier-ignore
  });

  it('shows the level at which an action is allowed, widest first', () => {
    expect(grantOf(given, 'groups', 'list')).toBe('own');
    expect(grantOf(given, 'groups', 'delete')).toBeUndefined();
    expect(grantOf(withAllActions(given, 'groups', true), 'groups', 'delete')).toBe('allActions');
    expect(grantOf(withAllResources(given, true), 'keys', 'list')).toBe('allResources');
  });

  it('offers to allow an action only if it is not already allowed', () => {
    expect([nextRight(undefined, false), nextRight('allow', false), nextRight('deny', false)]).toEqual([
      'allow',
      'deny',
      undefined,
    ]);
    expect([nextRight(undefined, true), nextRight('deny', true)]).toEqual(['deny', undefined]);
  });

  it('counts differences, and counts none after they are reverted', () => {
    const changed = withActionToggled(update(given, undefined), 'users', 'list');
    expect(changesBetween(given, changed)).toBe(2);
    expect(changesBetween(given, withActionToggled(update(changed, 'allow'), 'users', 'list'))).toBe(0);
  });
});

describe('saving', () => {
  it('sends nothing without a change', () => {
    expect(savePlanOf(given, given)).toEqual({ whole: undefined, objects: [] });
  });

  it('requires one call for resource permissions, which preserves object permissions', () => {
    expect(savePlanOf(given, withActionToggled(given, 'users', 'list'))).toEqual({
      whole: {
        allowAllResources: false,
        resources: [
          { name: 'groups', allowAllActions: false, actions: ['list'] },
          { name: 'users', allowAllActions: false, actions: ['detail', 'list'] },
        ],
      },
      objects: [],
    });
  });

  it('requires one call for the object permissions that changed; an empty entry removes them', () => {
    const emptied = withObjectRight(update(given, undefined), 'groups', {
      objects: [server],
      action: 'delete',
      right: undefined,
    });
    expect(savePlanOf(given, emptied)).toEqual({
      whole: undefined,
      objects: [{ resource: 'groups', objects: [{ uuid: '1', name: '', allow: [], deny: [] }] }],
    });
  });

  it('requires one call for a change to both kinds of permissions', () => {
    const { whole, objects } = savePlanOf(given, withActionToggled(update(given, 'deny'), 'users', 'list'));
    expect(objects).toEqual([]);
    expect(whole?.resources?.[0]).toEqual({
      name: 'groups',
      allowAllActions: false,
      actions: ['list'],
      objects: [{ uuid: '1', name: 'servers', allow: [], deny: ['update', 'delete'] }],
    });
  });

  it('includes all objects of a resource that loses a permission, since the permission may also be granted on those objects', () => {
    const { whole } = savePlanOf(given, withActionToggled(given, 'groups', 'list'));
    expect(whole?.resources?.[0]).toMatchObject({ name: 'groups', actions: [], objects: [{ uuid: '1' }] });
  });

  it('takes multiple calls if one would be too large', () => {
    const objects = Array.from({ length: 2 * MAX_OBJECTS + 1 }, (_, at) => ({ uuid: `${at}`, name: `object ${at}` }));
    const many = withObjectRight(withActionToggled(given, 'users', 'list'), 'groups', {
      objects,
      action: 'update',
      right: 'deny',
    });
    const plan = savePlanOf(given, many);
    expect(plan.whole?.resources?.every((each) => each.objects === undefined)).toBe(true);
    expect(plan.objects.map((piece) => piece.objects.length)).toEqual([MAX_OBJECTS, MAX_OBJECTS, 1]);
  });
});
