import { describe, expect, it } from 'vitest';
import { anonymous, noPermissions, type Actor } from './actor.ts';
import { isAccessibleBy } from './belonging.ts';

const owner: Actor = { ...anonymous, type: 'user', authMethod: 'token', userUuid: 'u', permissions: noPermissions };

describe('an object that belongs to a user', () => {
  it('is accessible to the user for every action, without any permission', () => {
    expect(isAccessibleBy(owner, 'revoke', { ownerUuid: 'u', groupUuids: [] })).toBe(true);
    expect(isAccessibleBy(owner, 'revoke', { ownerUuid: 'other', groupUuids: [] })).toBe(false);
  });

  it('is not accessible to access tokens with a scope, because only the scope defines their permissions', () => {
    expect(isAccessibleBy({ ...owner, hasScope: true }, 'detail', { ownerUuid: 'u', groupUuids: [] })).toBe(false);
  });

  it('is not accessible to callers without a user', () => {
    expect(isAccessibleBy(anonymous, 'detail', { ownerUuid: null, groupUuids: [] })).toBe(false);
  });
});
