import { describe, expect, it } from 'vitest';
import { identityAt, isInternalName, isOwnDomain } from './caa-default.ts';

describe('a name is internal', () => {
  it.each([
    'intranet',
    'www.corp.internal',
    'printer.local',
    'a.test',
    'router.home.arpa',
    'home.arpa',
    'www.shop.example',
  ])('when it is %s', (name) => expect(isInternalName(name)).toBe(true));

  it.each(['example.com', 'internal.example.com', 'nothome.arpa', 'test.org', 'local.net'])(
    'but not when it is %s',
    (name) => expect(isInternalName(name)).toBe(false),
  );
});

describe('an authority is known in CAA records by its host', () => {
  it.each([
    ['https://pki.example.com', 'pki.example.com'],
    ['https://PKI.Example.com.:8443/base', 'pki.example.com'],
  ])('at %s', (url, identity) => expect(identityAt(url)).toBe(identity));

  it.each([
    'https://localhost:8443',
    'https://ca',
    'https://ca.corp.internal',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    '',
  ])('and by nothing at %j', (url) => expect(identityAt(url)).toBeUndefined());
});

describe('a domain is that of the authority', () => {
  it('when the authority is named within it', () => {
    const domains = ['example.com', 'pki.example.com', 'com', 'ample.com', 'www.example.com', 'example.org'];
    expect(domains.filter((domain) => isOwnDomain(domain, ['pki.example.com']))).toEqual([
      'example.com',
      'pki.example.com',
      'com',
    ]);
  });
});
