import { expect, it } from 'vitest';
import { namesOfEnrolmentSecret } from './enrolments.ts';

it('lists the subject and SANs of a one-time secret, and returns undefined if the secret is valid for any name', () => {
  expect(namesOfEnrolmentSecret({ dnsNames: [], ipAddresses: [] })).toBeUndefined();
  expect(namesOfEnrolmentSecret({ subject: 'CN=a, O=Example' })).toBe('CN=a, O=Example');
  expect(
    namesOfEnrolmentSecret({
      subject: 'CN=a',
      dnsNames: ['a.example', 'b.example'],
      ipAddresses: ['192.0.2.1'],
      emails: ['a@b.example'],
    }),
  ).toBe('CN=a, a.example, b.example, 192.0.2.1, a@b.example');
});
