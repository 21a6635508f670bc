import { describe, expect, it } from 'vitest';
import { missingOf, newValues, requestOf, valuesOf, moveStep, withStep, type EnteredStep } from './profile-values.ts';

const step = (key: number, more: Partial<EnteredStep> = {}): EnteredStep => ({
  key,
  kind: 'role',
  approver: `r${key}`,
  requiredApprovals: 2,
  description: '',
  ...more,
});

describe('values of an approval profile', () => {
  it('are numbered by position, and require only one approval if the approver is a user', () => {
    const approvalSteps = [step(4, { kind: 'user' }), step(1, { description: ' last ' })];
    expect(requestOf({ ...newValues, approvalSteps }).approvalSteps).toEqual([
      { userUuid: 'r4', order: 1, requiredApprovals: 1 },
      { roleUuid: 'r1', order: 2, requiredApprovals: 2, description: 'last' },
    ]);
  });

  it('are returned in step order', () => {
    const common = { uuid: 'p', name: 'p', version: 1, expiry: 24, numberOfSteps: 2, associations: 0, usedBy: [] };
    const approvalSteps = [
      { uuid: 'b', order: 7, groupUuid: 'g', groupName: 'Web' },
      { uuid: 'a', order: 2, userUuid: 'u', username: 'ann' },
    ];
    const read = valuesOf({ ...common, allowOwnApproval: true, approvalSteps }).approvalSteps;
    expect(read.map(({ key, kind, approverName }) => [key, kind, approverName])).toEqual([
      [0, 'user', 'ann'],
      [1, 'group', 'Web'],
    ]);
  });

  it('can be moved only within the list, and new steps get their own keys', () => {
    const steps = [step(0), step(1)];
    expect(moveStep(steps, 1, -1).map(({ key }) => key)).toEqual([1, 0]);
    expect(moveStep(steps, 0, -1)).toBe(steps);
    expect(moveStep(steps, 1, 1)).toBe(steps);
    expect(withStep([step(3)]).map(({ key }) => key)).toEqual([3, 4]);
  });

  it('are incomplete if there is no approver or no time limit', () => {
    expect(missingOf({ ...newValues, approvalSteps: [step(0), step(1, { approver: null })] })).toContain('step 2');
    expect(missingOf({ ...newValues, approvalSteps: [step(0)], expiry: 0 })).toContain('time');
    expect(missingOf({ ...newValues, approvalSteps: [step(0)] })).toBeUndefined();
  });
});
