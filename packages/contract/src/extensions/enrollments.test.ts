import { expect, it } from 'vitest';
import { namesOfEnrollmentSecret } from './enrollments.ts';

it('lists the subject and SANs of a one-time secret, and returns undefined if the secret is valid for any name', () => {
  expect(namesOfEnrollmentSecret({ dnsNames: [], ipAddresses: [] })).toBeUndefined();
  expect(namesOfEnrollmentSecret({ subject: 'CN=a, O=Example' })).toBe('CN=a, O=Example');
  expect(
    namesOfEnrollmentSecret({
      subject: 'CN=a',
      dnsNames: ['a.example', 'b.example'],
      ipAddresses: ['192.0.2.1'],
      emails: ['a@b.example'],
    }),
  ).toBe('CN=a, a.example, b.example, 192.0.2.1, a@b.example');
});
