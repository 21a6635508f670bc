import { formatGeneralName } from '@signetry/pki';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CliFailure } from '../failures.ts';
import { commonNameOf, fileNameOf, readRequestedName } from './names.ts';

describe('a requested name', () => {
  it.each([
    ['localhost', 'dNSName', 'localhost'],
    ['Web.Example', 'dNSName', 'web.example'],
    ['web.example.', 'dNSName', 'web.example'],
    ['*.web.example', 'dNSName', '*.web.example'],
    ['_sip.example', 'dNSName', '_sip.example'],
    ['bücher.example', 'dNSName', 'xn--bcher-kva.example'],
    ['*.bücher.example', 'dNSName', '*.xn--bcher-kva.example'],
    ['192.0.2.10', 'iPAddress', '192.0.2.10'],
    ['2001:DB8:0::1', 'iPAddress', '2001:db8::1'],
    ['Jane.Doe+x@Example.com', 'rfc822Name', 'Jane.Doe+x@example.com'],
    ['jane@bücher.example', 'rfc822Name', 'jane@xn--bcher-kva.example'],
  ])('%s is a %s', (text, kind, value) => {
    const name = readRequestedName(text);
    expect([name.altName.kind, formatGeneralName(name.altName), name.text]).toEqual([kind, value, value]);
  });

  it.each([
    'Jane Doe',
    'a..b',
    '.a',
    '-a.example',
    'a-.example',
    'a.*.example',
    '*',
    '*.',
    '1.2.3.256',
    '1.2.3',
    '0x7f.1',
    'fe80::1%eth0',
    '1::2::3',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'jane@',
    '@example.com',
    'jane@*.example',
    'ja ne@example.com',
    'jäne@example.com',
    '.jane@example.com',
    `${'a'.repeat(250)}@example.com`,
    'a/b',
    'https://a.example',
    '',
  ])('cannot be %j', (text) => {
    expect(() => readRequestedName(text)).toThrow(CliFailure);
  });

  it('is the common name, unless it exceeds the length limit', () => {
    const long = readRequestedName(`${'a'.repeat(60)}.example`);
    const short = readRequestedName('web.example');
    expect(commonNameOf([short, long])).toBe('web.example');
    expect(commonNameOf([long, short])).toBeUndefined();
  });
});

describe('a file name', () => {
  it.each([
    ['web.example', 'web.example'],
    ['*.web.example', '_wildcard.web.example'],
    ['2001:db8::1', '2001_db8__1'],
    ['jane+x@example.com', 'jane+x@example.com'],
    ['a/../../b@x', 'a_.._.._b@x'],
    ['..', '_.'],
    ['-rf', '_rf'],
  ])('for %s is %s', (text, name) => {
    expect(fileNameOf(text)).toBe(name);
  });

  it('has no path separators, is not hidden and has a bounded length, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (text) => {
        expect(fileNameOf(text)).toMatch(/^[A-Za-z0-9_@+][A-Za-z0-9._@+-]{0,199}$/);
      }),
    );
  });
});
