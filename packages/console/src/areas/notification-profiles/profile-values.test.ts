import { describe, expect, it } from 'vitest';
import { missingOf, newValues, requestOf, valuesOf } from './profile-values.ts';

describe('values of a notification profile', () => {
  it('include recipients only for types that require them', () => {
    const recipientUuids = ['u'];
    expect(requestOf({ ...newValues, recipientType: 'user', recipientUuids })).toMatchObject({ recipientUuids });
    expect(requestOf({ ...newValues, recipientType: 'owner', recipientUuids })).not.toHaveProperty('recipientUuids');
  });

  it('are sent unchanged after they are read', () => {
    const profile = {
      uuid: 'p',
      name: 'p',
      description: 'd',
      version: 2,
      recipientType: 'role' as const,
      recipients: [{ uuid: 'r', name: 'RA' }],
      internalNotification: false,
      notificationInstance: { uuid: 'i', name: 'Mail' },
      frequency: 'P2D',
      repetitions: 3,
    };
    expect(requestOf(valuesOf(profile))).toEqual({
      description: 'd',
      recipientType: 'role',
      recipientUuids: ['r'],
      internalNotification: false,
      notificationInstanceUuid: 'i',
      frequency: 'PT48H',
      repetitions: 3,
    });
  });

  it('are incomplete without a recipient or a delivery method', () => {
    expect(missingOf({ ...newValues, recipientType: 'group' })).toContain('group');
    expect(missingOf({ ...newValues, internalNotification: false })).toContain('Choose how recipients are notified:');
    expect(missingOf(newValues)).toBeUndefined();
  });
});
