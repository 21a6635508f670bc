import { describe, expect, it } from 'vitest';
import { buildName, parseName } from '../names.ts';
import { textOtherName } from './general-names.ts';
import { hiddenCharacterOfGeneralName, hiddenCharacterOfName } from './name-characters.ts';
import { hiddenCharacter, visibleText } from '../hidden-characters.ts';

const HIDDEN = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
]; // prettier-ignore

describe('a hidden character', () => {
  it('is any control character or bidirectional control', () => {
    for (const code of HIDDEN) {
      const expected = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      expect(hiddenCharacter(`a${String.fromCharCode(code)}b`)).toBe(expected);
      expect(visibleText(`a${String.fromCharCode(code)}b`)).toBe('a\uFFFDb');
    }
  });

  it('is never a letter from any script, a space, or a joiner that a script requires', () => {
    for (const text of ['Exämple GmbH', 'דוגמה', 'مثال', '例え', 'नमस्ते\u200d', 'a b', 'O=\\,"', '😀'])
      expect([hiddenCharacter(text), visibleText(text)]).toEqual([undefined, text]);
  });

  it('is detected in names of every kind', () => {
    const name = buildName([{ type: 'O', value: 'x\u202egpj' }]);
    expect(hiddenCharacterOfName(name)).toBe('U+202E');
    expect(hiddenCharacterOfGeneralName({ kind: 'directoryName', name })).toBe('U+202E');
    expect(hiddenCharacterOfGeneralName({ kind: 'dNSName', value: 'a.test\0.b.test' })).toBe('U+0000');
    // Parsed names contain no NUL.
    const read = parseName(buildName([{ type: 'CN', value: 'a\0b' }]).der);
    expect(hiddenCharacterOfName(read)).toBe('U+0000 or U+FFFD');
    expect(hiddenCharacterOfGeneralName(textOtherName('1.3.6.1.4.1.311.20.2.3', 'a\u2066@b'))).toBe('U+2066');
  });
});
