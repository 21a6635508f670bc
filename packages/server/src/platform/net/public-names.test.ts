import { describe, expect, it } from 'vitest';
import { isInternalName, publicHostOf } from './public-names.ts';

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

describe('an address has a public host', () => {
  it.each([
    ['https://pki.example.com', 'pki.example.com'],
    ['https://PKI.Example.com.:8443/base', 'pki.example.com'],
  ])('at %s', (url, identity) => expect(publicHostOf(url)).toBe(identity));

  it.each([
    'https://localhost:8443',
    'https://ca',
    'https://ca.corp.internal',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    '',
  ])('but none at %j', (url) => expect(publicHostOf(url)).toBeUndefined());
});
