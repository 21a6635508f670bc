import { describe, expect, it } from 'vitest';
import { describeApprover, formatHours } from './texts.ts';

describe('descriptions of approvals', () => {
  it.each([
    [{ userUuid: 'u', username: 'ann' }, 'ann'],
    [{ userUuid: 'u' }, 'a deleted user'],
    [{ roleUuid: 'r', roleName: 'RA officers', requiredApprovals: 2 }, '2 users with the role RA officers'],
    [{ roleUuid: 'r' }, 'one user with a deleted role'],
    [{ groupUuid: 'g', groupName: 'Web', requiredApprovals: 1 }, 'one user of the group Web'],
  ])('name the approvers: %j', (step, words) => expect(describeApprover(step)).toBe(words));

  it.each([
    [1, '1 hour'],
    [36, '36 hours'],
    [48, '48 hours (2 days)'],
    [720, '720 hours (30 days)'],
  ])('show %i hours in days', (hours, words) => expect(formatHours(hours)).toBe(words));
});
