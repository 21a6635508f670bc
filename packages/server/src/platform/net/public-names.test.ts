import { describe, expect, it } from 'vitest';
import { isInternalName, publicHostOf } from './public-names.ts';

describe('an internal name', () => {
  it.each([
    'intranet',
    'www.corp.internal',
    'printer.local',
    'a.test',
    'router.home.arpa',
    'home.arpa',
    'www.shop.example',
  ])('can be %s', (name) => expect(isInternalName(name)).toBe(true));

  it.each(['example.com', 'internal.example.com', 'nothome.arpa', 'test.org', 'local.net'])('cannot be %s', (name) =>
    expect(isInternalName(name)).toBe(false),
  );
});

describe('the public host name', () => {
  it.each([
    ['https://pki.example.com', 'pki.example.com'],
    ['https://PKI.Example.com.:8443/base', 'pki.example.com'],
  ])('is read from %s', (url, identity) => expect(publicHostOf(url)).toBe(identity));

  it.each([
    'https://localhost:8443',
    'https://ca',
    'https://ca.corp.internal',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    '',
  ])('cannot be read from %j', (url) => expect(publicHostOf(url)).toBeUndefined());
});
