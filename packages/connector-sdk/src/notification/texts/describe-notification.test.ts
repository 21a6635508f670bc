import { ResourceEvent } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { describeNotification } from './describe-notification.ts';
import { factText, plainText } from './plain-text.ts';

const now = new Date('2026-11-23T12:00:00Z');
const CERTIFICATE = '0197c3d0-0000-7000-8000-000000000001';
const describeEvent = (event: string, notificationData?: unknown) =>
  describeNotification(
    { recipients: [], eventType: event, notificationData },
    { now, consoleUrl: 'https://pki.example' },
  );

describe('the text for an event', () => {
  it('states what happened, when, and what to do next', () => {
    const data = {
      certificateUuid: CERTIFICATE,
      subjectDn: 'O=Shop, CN=shop.example',
      expiresAt: '2026-12-01T12:00:00Z',
    };
    expect(describeEvent('certificate_expiring', data)).toEqual({
      event: 'certificate_expiring',
      title: 'Certificate for shop.example expires in 8 days',
      message:
        'The certificate for shop.example expires in 8 days (1 December 2026, 12:00 UTC) and has not been replaced yet.',
      details: [
        { label: 'Subject', text: 'O=Shop, CN=shop.example' },
        { label: 'Valid until', text: '1 December 2026, 12:00 UTC' },
      ],
      nextSteps: [expect.stringContaining('Renew it in time'), expect.stringContaining('archive it')],
      link: `https://pki.example/certificates/${CERTIFICATE}`,
      facts: { certificateUuid: CERTIFICATE, subjectDn: data.subjectDn, expiresAt: '1 December 2026, 12:00 UTC' },
    });
    const { title, nextSteps } = describeEvent('certificate_expiring', { ...data, expiresAt: '2026-11-20T12:00:00Z' });
    expect([title, nextSteps[0]]).toEqual(['Certificate for shop.example has expired', expect.stringContaining('now')]);
  });

  it.each(ResourceEvent.options)('consists of full sentences for %s, even if facts are missing', (event) => {
    for (const data of [undefined, null, 'text', {}, { subjectDn: { deep: true }, expiresAt: 'never' }]) {
      const { title, message, nextSteps } = describeEvent(event, data);
      expect(title).toMatch(/^[A-Z]\S+ .*\S$/);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(nextSteps.length).toBeGreaterThan(0);
      expect(`${title}${message}${nextSteps.join('')}`).not.toMatch(/undefined|null|NaN|\(\)|""| {2}/);
    }
  });

  it('lists violated rules, and has a title for unknown events', () => {
    const failedRules = Array.from({ length: 12 }, (_, number) => ({ name: `Rule ${number}` }));
    const { details } = describeEvent('certificate_not_compliant', { complianceCheckResultDto: { failedRules } });
    expect(details.at(-1)?.text).toMatch(/^Rule 0, .*Rule 9, and 2 more$/);
    expect(describeEvent('key_compromised').title).toBe('Key compromised');
  });

  it('includes the reason for a failure', () => {
    const data = { subjectDn: 'CN=a', action: 'renew', errorMessage: 'The authority does not respond.' };
    expect(describeEvent('certificate_action_performed', data)).toMatchObject({
      title: 'Certificate for a could not be renewed',
      message: 'The certificate for a could not be renewed: The authority does not respond.',
    });
  });
});

describe('a fact', () => {
  it('is a single line of limited length, without control characters or bidirectional overrides', () => {
    expect(plainText('a\r\nBcc: b\u2028c\u202ed\0')).toBe('a Bcc: b c d');
    expect(plainText('x'.repeat(1_000))).toHaveLength(500);
    expect(factText(['a', { name: 'b' }, {}, 3])).toBe('a, b, 3');
    expect(factText('2026-02-31T10:00:00+25:00')).toBe('2026-02-31T10:00:00+25:00');
  });
});
