import { acmeIdentifierExtension, customExtension } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { checkChallengeCertificate } from './challenge-certificate.ts';
import { challengeCertificate, proofOf } from './testing/certificates.ts';
import { KEY_AUTHORIZATION, NAME } from './testing/targets.ts';
import type { Identifier } from '../model/vocabulary.ts';

const dns = (value: string): Identifier => ({ type: 'dns', value });
const ip = (value: string): Identifier => ({ type: 'ip', value });
const check = (der: Uint8Array | undefined, identifier: Identifier = dns(NAME)) =>
  checkChallengeCertificate(der, { identifier, keyAuthorization: KEY_AUTHORIZATION });
const proof = proofOf();

describe('a tls-alpn-01 certificate', () => {
  it.each([
    ['a DNS name', [NAME], dns(NAME)],
    ['a DNS name in uppercase (RFC 4343)', [NAME.toUpperCase()], dns(NAME)],
    ['an IPv4 address (RFC 8738 §6)', ['192.0.2.1'], ip('192.0.2.1')],
    ['an IPv6 address (RFC 8738 §6)', ['2001:db8::1'], ip('2001:db8::1')],
  ])('is accepted for %s (RFC 8737 §3)', async (_what, names, identifier) => {
    expect(check((await challengeCertificate({ names })).der, identifier)).toBeUndefined();
  });

  it.each([
    ['a different name', ['other.test'], dns(NAME)],
    ['the identifier and a DNS name', [NAME, 'other.test'], dns(NAME)],
    ['the identifier and an IP address', [NAME, '192.0.2.1'], dns(NAME)],
    ['the identifier twice', [NAME, NAME], dns(NAME)],
    ['a wildcard', ['*.example.test'], dns(NAME)],
    ['no name', [], dns(NAME)],
    ['a different IP address', ['192.0.2.2'], ip('192.0.2.1')],
    ['a DNS name if an IP address is validated', ['192.0.2.1.test'], ip('192.0.2.1')],
    ['an IP address if a DNS name is validated', ['192.0.2.1'], dns('192.0.2.1')],
  ])('is rejected with %s (RFC 8737 §3)', async (_what, names, identifier) => {
    expect(check((await challengeCertificate({ names })).der, identifier)).toMatch(
      /must be the only subject alternative name/,
    );
  });

  it.each([
    ['without the extension', { proof: undefined }, /has no acmeIdentifier/],
    ['with a non-critical extension', { proof: { ...proof, critical: false } }, /must be critical/],
    [
      'with a different digest',
      { keyAuthorization: 'another' },
      /the digest in the acmeIdentifier extension does not match the key authorization/,
    ],
    [
      'with a digest of a different length',
      { proof: acmeIdentifierExtension(new Uint8Array(31)) },
      /the digest in the acmeIdentifier extension does not match the key authorization/,
    ],
    [
      'with an empty digest',
      { proof: acmeIdentifierExtension(new Uint8Array()) },
      /the digest in the acmeIdentifier extension does not match the key authorization/,
    ],
    [
      'with the digest itself as extension value',
      { proof: customExtension(proof.oid, { critical: true, value: new Uint8Array(32) }) },
      /cannot be parsed/,
    ],
    ['if issued under a different name', { issuer: 'CN=authority' }, /not self-signed/],
    ['if signed with a different key', { isForeignSigned: true }, /not self-signed/],
  ] as const)('is rejected %s (RFC 8737 §3)', async (_what, options, problem) => {
    expect(check((await challengeCertificate(options)).der)).toMatch(problem);
  });

  it('is rejected if it is missing, truncated or not a certificate (RFC 8737 §3)', async () => {
    const { der } = await challengeCertificate();
    expect(check(undefined)).toMatch(/did not send a certificate/);
    for (const bytes of [new Uint8Array(), der.subarray(0, 100), Uint8Array.of(...der, 0), new Uint8Array(2000)])
      expect(check(bytes)).toMatch(/cannot be parsed/);
  });
});
