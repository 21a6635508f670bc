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

describe('certificate of tls-alpn-01', () => {
  it.each([
    ['a DNS name', [NAME], dns(NAME)],
    ['a DNS name in capitals (RFC 4343)', [NAME.toUpperCase()], dns(NAME)],
    ['an IPv4 address (RFC 8738 §6)', ['192.0.2.1'], ip('192.0.2.1')],
    ['an IPv6 address (RFC 8738 §6)', ['2001:db8::1'], ip('2001:db8::1')],
  ])('is right for %s (RFC 8737 §3)', async (_what, names, identifier) => {
    expect(check((await challengeCertificate({ names })).der, identifier)).toBeUndefined();
  });

  it.each([
    ['another name', ['other.test'], dns(NAME)],
    ['a name beside the identifier', [NAME, 'other.test'], dns(NAME)],
    ['an address beside the identifier', [NAME, '192.0.2.1'], dns(NAME)],
    ['the identifier twice', [NAME, NAME], dns(NAME)],
    ['a wildcard', ['*.example.test'], dns(NAME)],
    ['no name', [], dns(NAME)],
    ['another address', ['192.0.2.2'], ip('192.0.2.1')],
    ['a name where an address is validated', ['192.0.2.1.test'], ip('192.0.2.1')],
    ['an address where a name is validated', ['192.0.2.1'], dns('192.0.2.1')],
  ])('is refused with %s (RFC 8737 §3)', async (_what, names, identifier) => {
    expect(check((await challengeCertificate({ names })).der, identifier)).toMatch(/only subject alternative name/);
  });

  it.each([
    ['without the extension', { proof: undefined }, /no acmeIdentifier/],
    ['with the extension not critical', { proof: { ...proof, critical: false } }, /not critical/],
    ['with another digest', { keyAuthorization: 'another' }, /digest other than/],
    ['with a digest of another length', { proof: acmeIdentifierExtension(new Uint8Array(31)) }, /digest other than/],
    ['with an empty digest', { proof: acmeIdentifierExtension(new Uint8Array()) }, /digest other than/],
    [
      'with the bare digest as value',
      { proof: customExtension(proof.oid, { critical: true, value: new Uint8Array(32) }) },
      /cannot be read/,
    ],
    ['issued by another name', { issuer: 'CN=authority' }, /not self-signed/],
    ['signed by another key', { isForeignSigned: true }, /not self-signed/],
  ] as const)('is refused %s (RFC 8737 §3)', async (_what, options, problem) => {
    expect(check((await challengeCertificate(options)).der)).toMatch(problem);
  });

  it('is refused when it is missing, truncated or not a certificate (RFC 8737 §3)', async () => {
    const { der } = await challengeCertificate();
    expect(check(undefined)).toMatch(/no certificate/);
    for (const bytes of [new Uint8Array(), der.subarray(0, 100), Uint8Array.of(...der, 0), new Uint8Array(2000)])
      expect(check(bytes)).toMatch(/cannot be read/);
  });
});
