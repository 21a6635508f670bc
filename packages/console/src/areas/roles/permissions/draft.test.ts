// The permissions of a role while they are edited, and what is sent to save them.
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

describe('the draft of permissions', () => {
  it('tells what an object has itself from what its resource gives', () => {
    expect([...resourceOf(given, 'groups').objects]).toEqual([
      ['1', { name: 'servers', rights: new Map([['update', 'allow'], ['delete', 'deny']]) }],
    ]); // prettier-ignore
  });

  it('says at which level an action is allowed, the widest first', () => {
    expect(grantOf(given, 'groups', 'list')).toBe('own');
    expect(grantOf(given, 'groups', 'delete')).toBeUndefined();
    expect(grantOf(withAllActions(given, 'groups', true), 'groups', 'delete')).toBe('allActions');
    expect(grantOf(withAllResources(given, true), 'keys', 'list')).toBe('allResources');
  });

  it('offers to allow only what is not allowed anyway', () => {
    expect([nextRight(undefined, false), nextRight('allow', false), nextRight('deny', false)]).toEqual([
      'allow',
      'deny',
      undefined,
    ]);
    expect([nextRight(undefined, true), nextRight('deny', true)]).toEqual(['deny', undefined]);
  });

  it('counts what differs, and nothing once it is taken back', () => {
    const changed = withActionToggled(update(given, undefined), 'users', 'list');
    expect(changesBetween(given, changed)).toBe(2);
    expect(changesBetween(given, withActionToggled(update(changed, 'allow'), 'users', 'list'))).toBe(0);
  });
});

describe('what is sent', () => {
  it('is nothing without a change', () => {
    expect(savePlanOf(given, given)).toEqual({ whole: undefined, objects: [] });
  });

  it('is one call for rights on resources, which leaves rights on objects as they are', () => {
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

  it('is one call for rights on objects, with those that differ; an empty one removes', () => {
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

  it('is one call for both', () => {
    const { whole, objects } = savePlanOf(given, withActionToggled(update(given, 'deny'), 'users', 'list'));
    expect(objects).toEqual([]);
    expect(whole?.resources?.[0]).toEqual({
      name: 'groups',
      allowAllActions: false,
      actions: ['list'],
      objects: [{ uuid: '1', name: 'servers', allow: [], deny: ['update', 'delete'] }],
    });
  });

  it('names all objects of a resource that loses a right, which may have kept it unseen', () => {
    const { whole } = savePlanOf(given, withActionToggled(given, 'groups', 'list'));
    expect(whole?.resources?.[0]).toMatchObject({ name: 'groups', actions: [], objects: [{ uuid: '1' }] });
  });

  it('is more calls where one would be too large', () => {
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
