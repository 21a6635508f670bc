import { ConnectorError } from '@signetry/connector-sdk';
import type { AttributeContentType, RequestAttributeDto } from '@signetry/contract';
import { formatGeneralName, OID, type GeneralName } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { PROFILE } from '../attributes/ra-profile-settings.ts';
import { gatherProblems } from '../problems.ts';
import { parseAltName } from './alt-name-text.ts';
import { readProfile } from './certificate-profile.ts';
import { checkNames } from './name-policy.ts';

const value = (name: string, contentType: AttributeContentType, ...data: unknown[]): RequestAttributeDto => ({
  uuid: 'any',
  name,
  contentType,
  content: data.map((entry) => ({ data: entry })),
});
const read = (...attributes: RequestAttributeDto[]) => readProfile(attributes, { allowPlaceholders: false });
function problemsOf(...attributes: RequestAttributeDto[]): readonly string[] {
  try {
    read(...attributes);
    return [];
  } catch (error) {
    if (error instanceof ConnectorError) return error.problems;
    throw error;
  }
}

describe('readProfile', () => {
  it('returns a default for every setting', () => {
    expect(read()).toMatchObject({
      validityDays: 90,
      maxValidityDays: 90,
      backdateMs: 60_000,
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: [OID.serverAuth, OID.clientAuth],
      copySubject: true,
      urls: { crl: [], deltaCrl: [], ocsp: [], caIssuers: [] },
      ca: undefined,
    });
  });

  it('parses multi-line lists', () => {
    const profile = read(
      value(PROFILE.crlUrls, 'text', 'http://a.example/1.crl\nhttp://b.example/1.crl'),
      value(PROFILE.policies, 'text', '1.2.3.4\n2.23.140.1.2.1 https://pki.example/cps'),
      value(PROFILE.dnsSuffixes, 'text', '.Example.com, *.example.org'),
    );
    expect(profile.urls.crl).toHaveLength(2);
    expect(profile.policies).toEqual([
      { oid: '1.2.3.4' },
      { oid: '2.23.140.1.2.1', cpsUrl: 'https://pki.example/cps' },
    ]);
    expect(profile.names.dnsSuffixes).toEqual(['example.com', 'example.org']);
  });

  it('returns separate defaults for CA profiles', () => {
    expect(read(value(PROFILE.isCa, 'boolean', true))).toMatchObject({
      keyUsages: ['keyCertSign', 'cRLSign'],
      extendedKeyUsages: [],
      ca: { pathLength: 0 },
    });
  });

  it.each([
    [
      'an unreplaced placeholder',
      value(PROFILE.crlUrls, 'text', '{{publicUrl}}/crl/{{authority}}.crl'),
      'still contains the placeholder {{publicUrl}}',
    ],
    ['an unknown placeholder', value(PROFILE.crlUrls, 'text', '{{publicURL}}/x'), 'unknown placeholder {{publicURL}}'],
    ['a different URL scheme', value(PROFILE.ocspUrls, 'text', 'ldap://a.example/x'), 'is not an http or https URL'],
    ['a script as URL', value(PROFILE.caIssuersUrls, 'text', 'javascript:alert(1)'), 'is not an http or https URL'],
    ['credentials in a URL', value(PROFILE.crlUrls, 'text', 'http://u:p@a.example/'), 'must not contain credentials'],
    [
      'non-ASCII characters in a URL',
      value(PROFILE.crlUrls, 'text', 'http://ä.example/'),
      'contains characters that are not valid in a URL',
    ],
    [
      'a pattern that cannot be matched in linear time',
      value(PROFILE.dnsPatterns, 'text', '(a)\\1'),
      'backreferences are not supported',
    ],
    ['a malformed DNS suffix', value(PROFILE.dnsSuffixes, 'text', 'a b'), 'is not a DNS suffix'],
    [
      'a malformed IP range',
      value(PROFILE.ipRanges, 'text', '10.0.0.0/33'),
      ') is not an IP address range such as 10.0.0.0/8.',
    ],
    [
      'an extended key usage that is not an OID',
      value(PROFILE.otherExtendedKeyUsages, 'text', 'server'),
      'is not an object identifier',
    ],
    ['a policy that is not an OID', value(PROFILE.policies, 'text', 'mine'), 'must be an object identifier'],
    [
      'a fixed subject that is not a distinguished name',
      value(PROFILE.fixedSubject, 'string', 'Example'),
      PROFILE.fixedSubject,
    ],
    ['CA key usages for a profile that is not for CAs', value(PROFILE.keyUsages, 'string', 'keyCertSign'), 'RFC 5280'],
    ['ocsp-nocheck without OCSP signing', value(PROFILE.ocspNoCheck, 'boolean', true), 'RFC 6960'],
    ['a maximum validity below the default', value(PROFILE.maxValidityDays, 'integer', 10), PROFILE.maxValidityDays],
    ['an excessive backdating period', value(PROFILE.backdateMinutes, 'integer', 6), 'at most 5'],
    ['an unknown attribute', value('data_other', 'string', 'x'), 'Unknown attribute "data_other".'],
  ])('rejects %s with an error that names the attribute', (_, attribute, problem) => {
    expect(problemsOf(attribute).join(' ')).toContain(problem);
  });

  it('accepts placeholders if the profile is only being validated', () => {
    const url = value(PROFILE.crlUrls, 'text', '{{publicUrl}}/crl/{{authority}}.crl');
    expect(readProfile([url], { allowPlaceholders: true }).urls.crl).toHaveLength(1);
    expect(() =>
      readProfile([value(PROFILE.crlUrls, 'text', 'mail{{publicUrl}}')], { allowPlaceholders: true }),
    ).toThrow(ConnectorError);
  });
});

describe('URLs', () => {
  const own = { publicUrl: 'http://pki.example', authority: 'ca-1' };
  const urlsOf = (attributes: readonly RequestAttributeDto[], withOwn: boolean) =>
    readProfile(attributes, { allowPlaceholders: false, ...(withOwn ? { own } : {}) }).urls;

  it('are omitted if the profile says so', () => {
    const none = [PROFILE.crlUrls, PROFILE.ocspUrls, PROFILE.caIssuersUrls, PROFILE.deltaCrlUrls].map((name) =>
      value(name, 'text', ' None '),
    );
    for (const withOwn of [true, false])
      expect(urlsOf(none, withOwn)).toEqual({ crl: [], deltaCrl: [], ocsp: [], caIssuers: [] });
  });

  it('are empty by default inside a platform, which inserts its own when a profile is created', () => {
    expect(urlsOf([], false)).toEqual({ crl: [], deltaCrl: [], ocsp: [], caIssuers: [] });
  });

  it('default to those of the connector, even if no platform replaced the placeholders', () => {
    const expected = {
      crl: ['http://pki.example/crl/ca-1.crl'],
      deltaCrl: [],
      ocsp: ['http://pki.example/ocsp/ca-1'],
      caIssuers: ['http://pki.example/ca/ca-1.crt'],
    };
    expect(urlsOf([], true)).toEqual(expected);
    for (const base of ['{{publicUrl}}', '{{revocationUrl}}'])
      expect(urlsOf([value(PROFILE.crlUrls, 'text', `${base}/crl/{{authority}}.crl`)], true)).toEqual(expected);
    expect(urlsOf([value(PROFILE.ocspUrls, 'text', 'http://other.example')], true).ocsp).toEqual([
      'http://other.example',
    ]);
  });
});

describe('the name policy', () => {
  const check = (name: string, ...attributes: RequestAttributeDto[]): readonly string[] => {
    const problems = gatherProblems();
    checkNames([parseAltName(name)], read(...attributes).names, problems);
    return problems.list;
  };
  const suffix = value(PROFILE.dnsSuffixes, 'text', 'example.com');
  const pattern = value(PROFILE.dnsPatterns, 'text', 'web\\d+\\.lab\\.internal');
  const ranges = value(PROFILE.ipRanges, 'text', '10.1.0.0/20\nfd00::/8');

  it.each([
    ['dns:www.example.com', [suffix]],
    ['dns:example.com', [suffix]],
    ['dns:WWW.Example.COM', [suffix]],
    ['dns:*.example.com', [suffix]],
    ['dns:web12.lab.internal', [suffix, pattern]],
    ['dns:localhost', []],
    ['dns:xn--bcher-kva.example', []],
    ['ip:10.1.15.255', [ranges]],
    ['ip:fd12::1', [ranges]],
    ['email:anna@example.com', [value(PROFILE.emailDomains, 'text', 'example.com')]],
    ['uri:spiffe://example.com/web', []],
  ])('allows %s', (name, attributes) => {
    expect(check(name, ...attributes)).toEqual([]);
  });

  it.each([
    ['dns:badexample.com', [suffix]],
    ['dns:example.com.evil.test', [suffix]],
    ['dns:web12.lab.internal.evil.test', [pattern]],
    ['dns:*.example.com', [value(PROFILE.allowWildcards, 'boolean', false)]],
    ['dns:*.com', []],
    ['dns:a.*.example.com', []],
    ['dns:*', []],
    ['dns:a_b.example.com', []],
    ['dns:-a.example.com', []],
    ['dns:a..example.com', []],
    ['dns:', []],
    [`dns:${'a'.repeat(64)}.example.com`, []],
    ['dns:a b.example.com', []],
    ['dns:a\u0000.example.com', []],
    ['ip:10.1.16.0', [ranges]],
    ['ip:8.8.8.8', [ranges]],
    ['email:anna@other.test', [value(PROFILE.emailDomains, 'text', 'example.com')]],
    ['email:Anna <anna@example.com>', []],
    ['uri:no-scheme', []],
    ['upn:anna@example.com', []],
    ['dn:CN=Anna', []],
  ])('rejects %s', (name, attributes) => {
    expect(check(name, ...attributes)).toHaveLength(1);
  });

  it('allows the name types that are listed in the profile', () => {
    expect(check('upn:anna@example.com', value(PROFILE.altNameTypes, 'string', 'otherName'))).toEqual([]);
    expect(check('dns:a.example', value(PROFILE.altNameTypes, 'string', 'otherName'))).toHaveLength(1);
  });
});

describe('parseAltName', () => {
  it.each([
    ['www.example.com', 'dNSName', 'www.example.com'],
    ['192.0.2.1', 'iPAddress', '192.0.2.1'],
    ['2001:db8::1', 'iPAddress', '2001:db8::1'],
    ['anna@example.com', 'rfc822Name', 'anna@example.com'],
    ['https://example.com/x', 'uniformResourceIdentifier', 'https://example.com/x'],
    ['urn:uuid:1', 'uniformResourceIdentifier', 'urn:uuid:1'],
    ['DNS:a.example', 'dNSName', 'a.example'],
    ['rid:1.2.3', 'registeredID', '1.2.3'],
  ])('parses %s', (text, kind, shown) => {
    const name: GeneralName = parseAltName(text);
    expect([name.kind, formatGeneralName(name)]).toEqual([kind, shown]);
  });

  it('rejects malformed values', () => {
    expect(() => parseAltName('ip:1.2.3')).toThrow('IP address');
    expect(() => parseAltName('rid:x')).toThrow('object identifier');
  });
});
