// Reads the common subset of regular expressions: what Java, JavaScript and RE2 write and mean alike. What cannot be matched
// in linear time (back references, look-around, possessive and atomic groups) is refused by name. A parser, so it is long.
import {
  between,
  controlCharacter,
  exactly,
  ignoringCase,
  isNotLineEnd,
  namedProperty,
  not,
  oneOf,
  shorthand,
  type CharacterTest,
} from './characters.ts';
import { PatternError } from './pattern-error.ts';

export type Assertion = 'start' | 'end' | 'word-boundary' | 'no-word-boundary';

export type PatternNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

/** Longest pattern that is read: a form field never needs more, and the rest of the bounds follow from it. */
const MAX_PATTERN_CHARACTERS = 1024;
/** Groups inside groups; keeps the parser's own stack small. */
const MAX_DEPTH = 32;
/** Largest number in `{n,m}`; repetitions are written out, so this bounds the program. */
const MAX_REPEAT = 1000;

/** Throws `PatternError`. */
export function parsePattern(source: string, options: { readonly ignoreCase?: boolean } = {}): PatternNode {
  if (source.length > MAX_PATTERN_CHARACTERS) {
    throw new PatternError(`The pattern is longer than ${MAX_PATTERN_CHARACTERS} characters.`);
  }
  const text = [...source];
  let ignoreCase = options.ignoreCase ?? false;
  let at = 0;

  const peek = (ahead = 0): string | undefined => text[at + ahead];
  const fail = (why: string): never => {
    throw new PatternError(`The pattern cannot be used: ${why} (character ${at + 1}).`);
  };
  const next = (): string => text[at++] ?? fail('it ends too early');
  const accept = (character: string): boolean => {
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const character = (test: CharacterTest): PatternNode => ({ kind: 'character', test });
  // Folded before a class is negated: `[^a]` without case refuses `A` as well.
  const folded = (test: CharacterTest): CharacterTest => (ignoreCase ? ignoringCase(test) : test);
  const assertion = (name: Assertion): PatternNode => ({ kind: 'assertion', assertion: name });

  function choice(depth: number): PatternNode {
    if (depth > MAX_DEPTH) fail(`groups are nested deeper than ${MAX_DEPTH}`);
    const options: PatternNode[] = [sequence(depth)];
    while (accept('|')) options.push(sequence(depth));
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  function sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (at < text.length && peek() !== '|' && peek() !== ')') parts.push(repeated(atom(depth)));
    if (parts.length === 0) return { kind: 'empty' };
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
  }

  function repeated(part: PatternNode): PatternNode {
    const bounds = quantifier();
    if (!bounds) return part;
    if (part.kind === 'assertion') return fail('an anchor cannot be repeated');
    if (accept('+')) return fail('possessive quantifiers are not supported');
    accept('?'); // a lazy quantifier accepts the same texts
    if (quantifier()) return fail('a quantifier follows a quantifier');
    return { kind: 'repeat', part, ...bounds };
  }

  function quantifier(): { min: number; max: number } | undefined {
    if (accept('*')) return { min: 0, max: Infinity };
    if (accept('+')) return { min: 1, max: Infinity };
    if (accept('?')) return { min: 0, max: 1 };
    if (peek() !== '{') return undefined;
    const counts = /^\{(\d{1,5})(,(\d{0,5}))?\}/.exec(text.slice(at, at + 14).join(''));
    if (!counts) return fail('"{" does not start a repetition; write "\\{" for the character');
    at += counts[0].length;
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === '' ? Infinity : Number(counts[3]);
    if (max < min) return fail('the bounds of a repetition are the wrong way round');
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) return fail(`a repetition exceeds ${MAX_REPEAT}`);
    return { min, max };
  }

  function atom(depth: number): PatternNode {
    const symbol = next();
    switch (symbol) {
      case '(':
        return group(depth);
      case '[':
        return character(characterClass(0));
      case '.':
        return character(isNotLineEnd);
      case '^':
        return assertion('start');
      case '$':
        return assertion('end');
      case '\\':
        return escape();
      case '*':
      case '+':
      case '?':
      case '{':
        at -= 1;
        return fail(`"${symbol}" has nothing to repeat`);
      default:
        return character(folded(exactly(symbol.codePointAt(0) ?? 0)));
    }
  }

  function group(depth: number): PatternNode {
    if (accept('?')) groupHead();
    const inner = choice(depth + 1);
    if (!accept(')')) fail('a group is not closed');
    return inner;
  }

  function groupHead(): void {
    const symbol = next();
    if (symbol === ':') return;
    if (symbol === '<' && peek() !== '=' && peek() !== '!') {
      while (next() !== '>') continue;
      return;
    }
    fail('look-around, atomic groups and flags inside are not supported');
  }

  function escape(): PatternNode {
    const symbol = peek() ?? fail('it ends with a backslash');
    if (symbol === 'b') return (at++, assertion('word-boundary'));
    if (symbol === 'B') return (at++, assertion('no-word-boundary'));
    if (symbol === 'A') return (at++, assertion('start'));
    if (symbol === 'z' || symbol === 'Z') return (at++, assertion('end'));
    return character(escapedSet());
  }

  /** After a backslash: a set of characters or a single one. */
  function escapedSet(): CharacterTest {
    const symbol = next();
    const set = shorthand(symbol);
    if (set) return set;
    if (symbol === 'p' || symbol === 'P') return symbol === 'p' ? property() : not(property());
    return folded(exactly(escapedCharacter(symbol)));
  }

  function property(): CharacterTest {
    if (!accept('{')) return namedProperty(next());
    let name = '';
    for (let symbol = next(); symbol !== '}'; symbol = next()) name += symbol;
    return namedProperty(name);
  }

  function escapedCharacter(symbol: string): number {
    const control = controlCharacter(symbol);
    if (control !== undefined) return control;
    if (symbol === 'x') return hexadecimal(2);
    if (symbol === 'u') return hexadecimal(4);
    if (/[1-9k]/.test(symbol)) return fail('back references are not supported');
    if (/[A-Za-z0-9]/.test(symbol)) return fail(`the escape "\\${symbol}" is not supported`);
    return symbol.codePointAt(0) ?? 0;
  }

  function hexadecimal(digits: number): number {
    const value = text.slice(at, at + digits).join('');
    if (value.length !== digits || !/^[0-9A-Fa-f]+$/.test(value))
      return fail(`${digits} hexadecimal digits are missing`);
    at += digits;
    return Number.parseInt(value, 16);
  }

  function characterClass(depth: number): CharacterTest {
    if (depth > MAX_DEPTH) fail('character classes are nested too deep');
    const negated = accept('^');
    const tests: CharacterTest[] = [];
    do {
      if (peek() === '&' && peek(1) === '&') fail('intersections of character classes are not supported');
      tests.push(classMember(depth));
    } while (peek() !== ']');
    at += 1;
    return negated ? not(oneOf(tests)) : oneOf(tests);
  }

  function classMember(depth: number): CharacterTest {
    const symbol = next();
    if (symbol === '[') return characterClass(depth + 1);
    let from: number;
    if (symbol === '\\') {
      const escaped = peek() ?? '';
      if (shorthand(escaped) || escaped === 'p' || escaped === 'P') return escapedSet();
      from = escapedCharacter(next());
    } else {
      from = symbol.codePointAt(0) ?? 0;
    }
    if (peek() !== '-' || peek(1) === ']') return folded(exactly(from));
    at += 1;
    const end = next();
    if (end === '[') fail('a range of characters ends in a class');
    const to = end === '\\' ? escapedCharacter(next()) : (end.codePointAt(0) ?? 0);
    if (to < from) fail('a range of characters is the wrong way round');
    return folded(between(from, to));
  }

  if (peek() === '(' && peek(1) === '?' && peek(2) === 'i' && peek(3) === ')') {
    ignoreCase = true;
    at = 4;
  }
  const root = choice(0);
  if (at < text.length) fail('")" closes no group');
  return root;
}
