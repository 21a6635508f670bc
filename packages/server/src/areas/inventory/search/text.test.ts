import { describe, expect, it } from 'vitest';
import { isUnambiguous, MAX_WORDS, readSearchText } from './text.ts';

const FINGERPRINT = '00a1'.repeat(16);
const colons = (hex: string) => hex.match(/../g)?.join(':') ?? '';
const exactOf = (text: string) => readSearchText(text)?.words[0]?.exact;

describe('search text', () => {
  it.each([undefined, '', '  \t\n '])('is empty for %j', (text) => {
    expect(readSearchText(text)).toBeUndefined();
  });

  it('is split into words, without duplicates', () => {
    expect(readSearchText(' shop  example.com\tshop ')?.words.map(({ text }) => text)).toEqual(['shop', 'example.com']);
  });

  it('matches an internationalized host name in both of its forms', () => {
    const formsOf = (text: string) => readSearchText(text)?.words[0]?.forms.toSorted();
    expect(formsOf('münchen.example')).toEqual(['münchen.example', 'xn--mnchen-3ya.example']);
    expect(formsOf('xn--mnchen-3ya.exa')).toEqual(['münchen.exa', 'xn--mnchen-3ya.exa']);
    expect(formsOf('shop.example')).toEqual(['shop.example']);
    expect(formsOf('žluť:/')).toEqual(['žluť:/']);
  });

  it.each([
    ['1F', { serialNumber: '1f' }],
    ['0x00001f', { serialNumber: '1f' }],
    ['00:0A:Bc', { serialNumber: 'abc' }],
    ['000', { serialNumber: '0' }],
    [FINGERPRINT, { serialNumber: FINGERPRINT.slice(2), fingerprint: FINGERPRINT }],
    [colons(FINGERPRINT).toUpperCase(), { serialNumber: FINGERPRINT.slice(2), fingerprint: FINGERPRINT }],
    ['0192D3A0-0000-7000-8000-00000000000A', { uuid: '0192d3a0-0000-7000-8000-00000000000a' }],
    ['shop', undefined],
    ['0x', undefined],
    [':', undefined],
    ['db.example', undefined],
  ])('%s identifies %j', (text, exact) => {
    expect(exactOf(text)).toEqual(exact);
  });

  it('identifies a number even if its digits are grouped', () => {
    expect(readSearchText('00 0a BC 1d')?.whole).toEqual({ serialNumber: 'abc1d' });
    expect(readSearchText('shop 1d')?.whole).toBeUndefined();
    expect(readSearchText('1d')?.whole).toBeUndefined();
  });

  it.each([
    [FINGERPRINT, true],
    ['0192d3a0-0000-7000-8000-00000000000a', true],
    ['1234567890abcdef', true],
    ['12 34 56 78 90 ab cd ef', true],
    ['1234567890abcde', false],
    ['db', false],
    ['1234567890abcdef shop', false],
  ])('%s is unambiguous: %s', (text, expected) => {
    const read = readSearchText(text);
    expect(read && isUnambiguous(read)).toBe(expected);
  });

  it('is rejected if it has too many words, or characters that no stored text can contain', () => {
    const words = Array.from({ length: MAX_WORDS + 1 }, (_, index) => `w${index}`).join(' ');
    expect(() => readSearchText(words)).toThrow(/more than 30 words/);
    expect(() => readSearchText('a\0b')).toThrow(/^text: /);
    expect(() => readSearchText('\ud800')).toThrow(/^text: /);
  });
});
