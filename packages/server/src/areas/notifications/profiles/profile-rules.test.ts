// Goal: a profile that would notify no one is rejected with advice, and only actual changes create versions.
import { hoursInDuration, type NotificationProfileUpdateRequestDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isSameVersion, problemsOfProfile, type VersionedFields } from './profile-rules.ts';

const [USER, INSTANCE] = ['0b35b1a4-6f6c-4d0b-8f5e-7c1f0b7d2a10', '3b9a47a4-90a1-4d7e-8f10-5a0c6f3c1e22'];
const profile = (more: Partial<NotificationProfileUpdateRequestDto>): NotificationProfileUpdateRequestDto => ({
  recipientType: 'owner',
  internalNotification: true,
  ...more,
});

describe('a notification profile', () => {
  it.each<[string, Partial<NotificationProfileUpdateRequestDto>, string | undefined]>([
    ['for owners', {}, undefined],
    ['for default recipients', { recipientType: 'default' }, undefined],
    ['for specific users', { recipientType: 'user', recipientUuids: [USER] }, undefined],
    ['without recipients, through a notification provider', { recipientType: 'none', internalNotification: false, notificationInstanceUuid: INSTANCE }, undefined],
    ['for users, without specifying any', { recipientType: 'user' }, 'Specify at least one user'],
    ['for roles, without specifying any', { recipientType: 'role', recipientUuids: [] }, 'Specify at least one role'],
    ['for specific owners', { recipientUuids: [USER] }, 'omit recipientUuids.'],
    ['without recipients, for internal notifications', { recipientType: 'none' }, 'require recipients'],
    ['without internal notifications or a notification provider', { internalNotification: false }, 'The profile notifies no one.'],
  ])('%s is validated', (_what, more, complaint) => {
    const problems = problemsOfProfile(profile(more));
    if (complaint === undefined) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringContaining(complaint)]);
  }); // prettier-ignore

  it('gets a new version if anything changes except the order of its recipients', () => {
    const version: VersionedFields = {
      recipient_type: 'user',
      recipient_uuids: [USER, INSTANCE],
      instance_uuid: null,
      internal: true,
      frequency_hours: 24,
      repetitions: null,
    };
    expect(isSameVersion(version, { ...version, recipient_uuids: [INSTANCE, USER] })).toBe(true);
    expect(isSameVersion(version, { ...version, recipient_uuids: [USER] })).toBe(false);
    expect(isSameVersion(version, { ...version, frequency_hours: null })).toBe(false);
    expect(isSameVersion(version, { ...version, repetitions: 1 })).toBe(false);
    expect(isSameVersion(version, { ...version, instance_uuid: INSTANCE })).toBe(false);
  });
});

describe('a frequency', () => {
  it.each([
    ['PT1H', 1],
    ['P1D', 24],
    ['P1DT12H', 36],
    ['PT120M', 2],
    ['PT90M', undefined],
    ['P', undefined],
    ['P1DT', undefined],
    ['1h', undefined],
    ['-PT1H', undefined],
  ])('of %s is %s hours', (text, hours) => expect(hoursInDuration(text)).toBe(hours));
});
