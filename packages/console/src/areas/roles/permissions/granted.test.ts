import type { EffectiveResourceDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { filterResources, toListedResource } from './granted.ts';

const role = { uuid: 'r', name: 'Operators' };
const groups: EffectiveResourceDto = {
  name: 'groups',
  allowAllActions: false,
  actions: [{ name: 'list', from: [{ role, level: 'action' }] }],
  objects: Array.from({ length: 10_000 }, (_, at) => ({
    uuid: String(at),
    name: `Team ${at}`,
    allow: ['list', 'update'],
    deny: at === 7 ? ['delete'] : [],
  })),
};
const users: EffectiveResourceDto = { ...groups, name: 'users', objects: [] };
const all = [groups, users].map(toListedResource);
const search = (text: string) =>
  filterResources(all, text).map(({ resource, rules }) => [resource.name, rules.length] as const);

describe("a search in a user's permissions", () => {
  it('finds everything for an empty text', () => {
    expect(search('')).toEqual([
      ['groups', 10_000],
      ['users', 0],
    ]);
  });

  it('finds a resource by its name, with all of its rules', () =>
    expect(search('groups')).toEqual([['groups', 10_000]]));

  it('finds resources by action, and by the role that grants the action', () => {
    expect(search('operators')).toHaveLength(2);
    expect(search('list')).toHaveLength(2);
  });

  it('returns only the rules that contain the text if the resource does not contain it', () => {
    const [found] = filterResources(all, 'team 9999');
    expect(found?.rules).toEqual(['Team 9999: allowed Update']);
    expect(filterResources(all, 'denied delete').flatMap(({ rules }) => rules)).toEqual([
      'Team 7: allowed Update; denied Delete',
    ]);
  });

  it('finds nothing if no resource or rule contains the text', () => expect(search('nowhere')).toEqual([]));
});
