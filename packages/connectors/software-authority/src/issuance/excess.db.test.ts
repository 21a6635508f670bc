import {
  basicConstraintsExtension,
  customExtension,
  extKeyUsageExtension,
  formatName,
  keyUsageExtension,
  OID,
  subjectKeyIdentifierExtension,
} from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { ISSUE, PROFILE } from '../index.ts';
import {
  attribute,
  createCa,
  issue,
  makeCsr,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';

let ours: TestAuthority;
let authority = '';
beforeAll(async () => {
  ours = await startTestAuthority();
  authority = await createCa(ours.call, 'Signetry Root');
});

const subject = [
  { type: 'C', value: 'DE' },
  { type: 'O', value: 'Example' },
  { type: 'OU', value: 'Edge' },
  { type: 'CN', value: 'www.example.com' },
];
const extensions = [
  basicConstraintsExtension({ ca: true }),
  keyUsageExtension(['digitalSignature', 'keyCertSign']),
  extKeyUsageExtension([OID.serverAuth, OID.codeSigning]),
  customExtension('1.2.3.4', { critical: false, value: Uint8Array.of(5, 0) }),
];
const parts = attribute(PROFILE.subjectParts, 'string', 'CN', 'O');
const refuse = text(PROFILE.excess, 'refuse');

describe('a request that exceeds the profile', () => {
  it('gets only the subject attributes that the profile allows, and none of the requested extensions', async () => {
    const request = await makeCsr({ subject, extensions });
    const certificate = await issue(ours.call, { authority, profile: [parts], request });
    expect(formatName(certificate.subject)).toBe('CN=www.example.com, O=Example');
    expect(certificate.keyUsage).toEqual(['digitalSignature']);
    expect(certificate.extKeyUsage).toEqual([OID.serverAuth, OID.clientAuth]);
    expect(certificate.basicConstraints?.ca).toBe(false);
    expect(certificate.extensions.map(({ oid }) => oid)).not.toContain('1.2.3.4');
  });

  it('is rejected with all of its problems if the profile requires this', async () => {
    const request = await makeCsr({ subject, extensions });
    await expect(issue(ours.call, { authority, profile: [parts, refuse], request })).rejects.toMatchObject({
      status: 422,
      problems: [
        'C in the subject',
        'OU in the subject',
        'basic constraints of a CA certificate',
        'the key usage keyCertSign',
        'the extended key usage 1.3.6.1.5.5.7.3.3',
        'the extension 1.2.3.4',
      ].map((what) => `The request includes ${what}, which the profile does not allow.`),
    });
  });

  it('is not rejected because of allowed values, or because of values that every certificate has', async () => {
    const request = await makeCsr({
      subject: subject.filter(({ type }) => type === 'CN' || type === 'O'),
      extensions: [
        basicConstraintsExtension({ ca: false }),
        keyUsageExtension(['digitalSignature']),
        extKeyUsageExtension([OID.serverAuth]),
        subjectKeyIdentifierExtension(Buffer.alloc(20, 1)),
      ],
    });
    await issue(ours.call, { authority, profile: [parts, refuse], request });
  });
});

it('the entire subject can be omitted', async () => {
  const certificate = await issue(ours.call, {
    authority,
    request: await makeCsr({ subject }),
    attributes: [text(ISSUE.subject, 'none')],
  });
  expect(certificate.subject.rdns).toEqual([]);
});
