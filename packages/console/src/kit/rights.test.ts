import type { SubjectPermissionsDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { allows } from './rights.ts';

const permissions = (given: Partial<SubjectPermissionsDto['resources'][number]>): SubjectPermissionsDto => ({
  allowAllResources: false,
  resources: [{ name: 'connectors', allowAllActions: false, actions: [], objects: [], ...given }],
});
const object = (given: { allow?: string[]; deny?: string[] }) => ({
  objects: [{ uuid: 'a', name: 'A', allow: [], deny: [], ...given }],
});

describe('a permission', () => {
  it('is granted if the action, all actions or all resources are allowed', () => {
    expect(allows(permissions({ actions: ['update'] }), ['connectors', 'update', 'a'])).toBe(true);
    expect(allows(permissions({ allowAllActions: true }), ['connectors', 'update'])).toBe(true);
    expect(allows({ allowAllResources: true, resources: [] }, ['connectors', 'update'])).toBe(true);
  });

  it('is not granted for a different action or resource', () => {
    expect(allows(permissions({ actions: ['update'] }), ['connectors', 'delete'])).toBe(false);
    expect(allows(permissions({ allowAllActions: true }), ['groups', 'update'])).toBe(false);
  });

  it('on one object applies to that object only', () => {
    const given = permissions(object({ allow: ['delete'] }));
    expect(allows(given, ['connectors', 'delete', 'a'])).toBe(true);
    expect(allows(given, ['connectors', 'delete', 'b'])).toBe(false);
    expect(allows(given, ['connectors', 'delete'])).toBe(false);
  });

  it('is not granted if it is denied on the object, regardless of all other permissions', () => {
    const given = permissions({ allowAllActions: true, ...object({ deny: ['delete'] }) });
    expect(allows(given, ['connectors', 'delete', 'a'])).toBe(false);
    expect(allows({ ...given, allowAllResources: true }, ['connectors', 'delete', 'a'])).toBe(false);
  });
});
