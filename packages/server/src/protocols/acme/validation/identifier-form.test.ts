import { describe, expect, it } from 'vitest';
import { isDnsName } from './identifier-form.ts';
import { expectRejection, startValidation } from './testing/targets.ts';
import type { ChallengeType, Identifier } from '../model/vocabulary.ts';

describe('identifier validation', () => {
  it.each([
    'a',
    'intranet',
    'www.example.test',
    'xn--bcher-kva.test',
    '_dmarc.example.test',
    '1.2.3.test',
    '3com',
    `${'a'.repeat(63)}.test`,
  ])('accepts %s as a DNS name (RFC 8555 §9.7.7)', (name) => expect(isDnsName(name)).toBe(true));

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x',
    'a.0x1f',
    'a.1',
    '::1',
    'A.test',
    'a b',
    'a/b',
    'a@b',
    'a:80',
    'a%2e',
    '*.a',
    '-a.test',
    'a-.test',
    'bücher.test',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(130)}test`,
  ])('rejects "%.30s" as a DNS name (RFC 8555 §9.7.7)', (name) => expect(isDnsName(name)).toBe(false));

  it.each<[string, ChallengeType, Identifier, RegExp]>([
    [
      'a wildcard by http-01',
      'http-01',
      { type: 'dns', value: '*.example.test' },
      /A wildcard can only be validated with a DNS challenge\./,
    ],
    [
      'a wildcard by tls-alpn-01',
      'tls-alpn-01',
      { type: 'dns', value: '*.example.test' },
      /A wildcard can only be validated with a DNS challenge\./,
    ],
    ['a wildcard within a name', 'dns-01', { type: 'dns', value: 'a.*.example.test' }, /not a DNS name/],
    [
      'an IPv4 address as a DNS name',
      'http-01',
      { type: 'dns', value: '127.0.0.1' },
      /The identifier of type dns is not a DNS name;/,
    ],
    [
      'an IPv6 address as a DNS name',
      'http-01',
      { type: 'dns', value: '::1' },
      /The identifier of type dns is not a DNS name;/,
    ],
    [
      'an address in disguise',
      'tls-alpn-01',
      { type: 'dns', value: '0x7f.1' },
      /The identifier of type dns is not a DNS name;/,
    ],
    [
      'a wildcard of an address',
      'dns-01',
      { type: 'dns', value: '*.127.0.0.1' },
      /The identifier of type dns is not a DNS name;/,
    ],
    [
      'an address by dns-01 (RFC 8738 §7)',
      'dns-01',
      { type: 'ip', value: '192.0.2.1' },
      /cannot be validated with dns-01/,
    ],
    [
      'an address by dns-account-01 (RFC 8738 §7)',
      'dns-account-01',
      { type: 'ip', value: '192.0.2.1' },
      /cannot be validated with dns-account-01/,
    ],
    [
      'an address by dns-persist-01 (RFC 8738 §7)',
      'dns-persist-01',
      { type: 'ip', value: '192.0.2.1' },
      /cannot be validated with dns-persist-01/,
    ],
    ['a name as an address', 'http-01', { type: 'ip', value: 'example.test' }, /not an IP address/],
    ['an address with a zone', 'http-01', { type: 'ip', value: 'fe80::1%eth0' }, /not an IP address/],
  ])('rejects %s before any lookup (RFC 8555 §8, RFC 8738 §3)', async (_what, type, identifier, detail) => {
    const { validate, dns } = await startValidation();
    expectRejection(await validate({ type, identifier }), { type: 'rejectedIdentifier', mayChange: false, detail });
    expect(dns.questions).toEqual([]);
  });
});
