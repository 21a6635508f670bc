import { describe, expect, it } from 'vitest';
import { anonymous, noPermissions, type Actor } from './actor.ts';
import { isReachedBy } from './belonging.ts';

const owner: Actor = { ...anonymous, type: 'user', authMethod: 'token', userUuid: 'u', permissions: noPermissions };

describe('what belongs to a user', () => {
  it('is open to them for every action, without a right', () => {
    expect(isReachedBy(owner, 'revoke', { ownerUuid: 'u', groupUuids: [] })).toBe(true);
    expect(isReachedBy(owner, 'revoke', { ownerUuid: 'other', groupUuids: [] })).toBe(false);
  });

  it('is not open to their tokens with a scope, which says all that those may do', () => {
    expect(isReachedBy({ ...owner, hasScope: true }, 'detail', { ownerUuid: 'u', groupUuids: [] })).toBe(false);
  });

  it('is not open to callers without a user', () => {
    expect(isReachedBy(anonymous, 'detail', { ownerUuid: null, groupUuids: [] })).toBe(false);
  });
});
