// Character sets as predicates over code points: the characters that one step of a pattern accepts.
import { PatternError } from './pattern-error.ts';

export type CharacterTest = (codePoint: number) => boolean;

const isDigit: CharacterTest = (c) => c >= 0x30 && c <= 0x39;
const isSpace: CharacterTest = (c) => c === 0x20 || (c >= 0x09 && c <= 0x0d);
export const isWordCharacter: CharacterTest = (c) =>
  isDigit(c) || (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f;
/** `.` does not match line terminators as defined by Java, which include U+0085. */
export const isNotLineEnd: CharacterTest = (c) =>
  c !== 0x0a && c !== 0x0d && c !== 0x85 && c !== 0x2028 && c !== 0x2029;

export const not =
  (test: CharacterTest): CharacterTest =>
  (c) =>
    !test(c);
export const oneOf = (tests: readonly CharacterTest[]): CharacterTest =>
  tests.length === 1 && tests[0] ? tests[0] : (c) => tests.some((test) => test(c));
export const between =
  (from: number, to: number): CharacterTest =>
  (c) =>
    c >= from && c <= to;
export const exactly =
  (codePoint: number): CharacterTest =>
  (c) =>
    c === codePoint;

/** Accepts a character if the test accepts its uppercase or lowercase form. */
export function ignoringCase(test: CharacterTest): CharacterTest {
  return (c) => {
    if (test(c)) return true;
    const character = String.fromCodePoint(c);
    return [character.toLowerCase(), character.toUpperCase()].some(
      (other) => [...other].length === 1 && test(other.codePointAt(0) ?? c),
    );
  };
}

const shorthands: Readonly<Record<string, CharacterTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWordCharacter,
  W: not(isWordCharacter),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d, e: 0x1b, a: 0x07 };

/** Returns the character set for a shorthand letter, such as `d` in `\d`. */
export const shorthand = (letter: string): CharacterTest | undefined =>
  Object.hasOwn(shorthands, letter) ? shorthands[letter] : undefined;
/** Returns the code point for the letter of a control escape, e.g. 10 for `n`. */
export const controlCharacter = (letter: string): number | undefined =>
  Object.hasOwn(controls, letter) ? controls[letter] : undefined;

// POSIX class names as used in Java; all others are Unicode properties that the engine supports.
const posixClasses: Readonly<Record<string, string>> = {
  Alpha: '[A-Za-z]',
  Digit: '[0-9]',
  Alnum: '[A-Za-z0-9]',
  Upper: '[A-Z]',
  Lower: '[a-z]',
  Punct: '[!-\\/:-@\\[-`{-~]',
  Space: '[\\t-\\r ]',
  XDigit: '[0-9A-Fa-f]',
  ASCII: '[\\0-\\x7f]',
};

/**
 * Returns the character set for a named property, as in `\p{L}` or `\p{Alnum}`. Each test examines one character, so it
 * cannot be slow.
 */
export function namedProperty(name: string): CharacterTest {
  if (!/^[A-Za-z_=]{1,40}$/.test(name))
    throw new PatternError(`"\\p{${name.slice(0, 40)}}" is not a character property.`);
  const posix = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
  let expression: RegExp;
  try {
    expression = new RegExp(`^${posix ?? `\\p{${name.replace(/^Is/, '')}}`}$`, 'u');
  } catch {
    throw new PatternError(`The character property "\\p{${name}}" is unknown.`);
  }
  return (c) => expression.test(String.fromCodePoint(c));
}
