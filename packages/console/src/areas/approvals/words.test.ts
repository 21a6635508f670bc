import { describe, expect, it } from 'vitest';
import { wordsOfApprover, wordsOfHours } from './words.ts';

describe('words of approvals', () => {
  it.each([
    [{ userUuid: 'u', username: 'ann' }, 'ann'],
    [{ userUuid: 'u' }, 'a user who was deleted'],
    [{ roleUuid: 'r', roleName: 'RA officers', requiredApprovals: 2 }, '2 people with the role RA officers'],
    [{ roleUuid: 'r' }, 'one person with a role that was deleted'],
    [{ groupUuid: 'g', groupName: 'Web', requiredApprovals: 1 }, 'one person of the group Web'],
  ])('name who is asked: %j', (step, words) => expect(wordsOfApprover(step)).toBe(words));

  it.each([
    [1, '1 hour'],
    [36, '36 hours'],
    [48, '48 hours (2 days)'],
    [720, '720 hours (30 days)'],
  ])('tell days of %i hours', (hours, words) => expect(wordsOfHours(hours)).toBe(words));
});
