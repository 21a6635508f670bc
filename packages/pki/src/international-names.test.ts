import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unicodeHostName } from './international-names.ts';

describe('an internationalized host name', () => {
  it.each([
    'münchen.example',
    '例え.テスト',
    'пример.испытание',
    'παράδειγμα.δοκιμή',
    'עברית.example',
    'مثال.إختبار',
    '한국.example',
    'straße.example',
    '*.bücher.example',
  ])('%s is decoded from its ASCII form', (name) => {
    const wildcard = name.startsWith('*.') ? '*.' : '';
    const ascii = wildcard + domainToASCII(name.slice(wildcard.length));
    expect(ascii).toMatch(/xn--/);
    expect(unicodeHostName(ascii)).toBe(name);
    expect(unicodeHostName(ascii.toUpperCase())?.toLowerCase()).toBe(name);
  });

  it.each(['www.example', 'xn--.example', 'xn--a.example', 'xn--99999999999.example', `xn--${'a'.repeat(80)}.example`])(
    '%s has no Unicode form',
    (name) => {
      expect(unicodeHostName(name)).toBeUndefined();
    },
  );

  it.each([
    ['all letters look like Latin ones', 'аррӏе.example'],
    ['Greek ones that do', 'ονο.example'],
    ['two alphabets are mixed', 'pаypal.example'],
  ])('that resembles a different name is not decoded: %s', (_why, name) => {
    const ascii = domainToASCII(name);
    expect(ascii).toMatch(/^xn--/);
    expect(unicodeHostName(ascii)).toBeUndefined();
  });

  it('with an invisible character is not decoded', () => {
    // U+200D and U+202E between Latin letters.
    for (const label of ['xn--ab-m1t', 'xn--ab-n7t']) expect(unicodeHostName(`${label}.example`)).toBeUndefined();
  });
});
