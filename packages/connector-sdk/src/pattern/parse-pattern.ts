// Parser for the common subset of regular expressions: syntax with the same meaning in Java, JavaScript and RE2, plus
// look-around, which RE2 lacks. Constructs that cannot be matched within bounds (backreferences, possessive and atomic
// groups) are rejected by name. The file is long because it is a complete parser.
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
  /** Whether the part matches the following or the preceding text. */
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly part: PatternNode }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

/** Maximum length of a pattern: form fields never need more, and the other limits follow from it. */
const MAX_PATTERN_CHARACTERS = 1024;
/** Maximum nesting of groups; limits the parser's own stack. */
const MAX_DEPTH = 32;
/** Maximum number in `{n,m}`; repetitions are expanded, so this limits the program size. */
const MAX_REPEAT = 1000;

/** Parses a pattern; throws `PatternError`. */
export function parsePattern(source: string, options: { readonly ignoreCase?: boolean } = {}): PatternNode {
  if (source.length > MAX_PATTERN_CHARACTERS) {
    throw new PatternError(`The pattern is longer than ${MAX_PATTERN_CHARACTERS} characters.`);
  }
  return new PatternParser([...source], options.ignoreCase ?? false).parse();
}

const character = (test: CharacterTest): PatternNode => ({ kind: 'character', test });
const assertion = (name: Assertion): PatternNode => ({ kind: 'assertion', assertion: name });

/** Recursive descent; each method parses the construct in its name. */
class PatternParser {
  private readonly text: readonly string[];
  private ignoreCase: boolean;
  private at = 0;

  constructor(text: readonly string[], ignoreCase: boolean) {
    this.text = text;
    this.ignoreCase = ignoreCase;
  }

  parse(): PatternNode {
    if (this.text.slice(0, 4).join('') === '(?i)') {
      this.ignoreCase = true;
      this.at = 4;
    }
    const root = this.choice(0);
    if (this.at < this.text.length) this.fail('unmatched ")"');
    return root;
  }

  private choice(depth: number): PatternNode {
    if (depth > MAX_DEPTH) this.fail(`groups are nested deeper than ${MAX_DEPTH}`);
    const options: PatternNode[] = [this.sequence(depth)];
    while (this.accept('|')) options.push(this.sequence(depth));
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  private sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.text.length && this.peek() !== '|' && this.peek() !== ')')
      parts.push(this.repeated(this.atom(depth)));
    if (parts.length === 0) return { kind: 'empty' };
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
  }

  private repeated(part: PatternNode): PatternNode {
    const bounds = this.quantifier();
    if (!bounds) return part;
    if (part.kind === 'assertion' || part.kind === 'look') return this.fail('an anchor cannot be repeated');
    if (this.accept('+')) return this.fail('possessive quantifiers are not supported');
    this.accept('?'); // A lazy quantifier matches the same texts, so it is ignored.
    if (this.quantifier()) return this.fail('a quantifier cannot follow a quantifier');
    return { kind: 'repeat', part, ...bounds };
  }

  private quantifier(): { min: number; max: number } | undefined {
    if (this.accept('*')) return { min: 0, max: Infinity };
    if (this.accept('+')) return { min: 1, max: Infinity };
    if (this.accept('?')) return { min: 0, max: 1 };
    if (this.peek() !== '{') return undefined;
    const counts = /^\{(\d{1,5})(,(\d{0,5}))?\}/.exec(this.text.slice(this.at, this.at + 14).join(''));
    if (!counts) return this.fail('"{" does not start a quantifier; write "\\{" for a literal brace');
    this.at += counts[0].length;
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === '' ? Infinity : Number(counts[3]);
    if (max < min) return this.fail('the bounds of a repetition are in the wrong order');
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
      return this.fail(`a repetition count exceeds ${MAX_REPEAT}`);
    return { min, max };
  }

  private atom(depth: number): PatternNode {
    const symbol = this.next();
    switch (symbol) {
      case '(':
        return this.group(depth);
      case '[':
        return character(this.characterClass(0));
      case '.':
        return character(isNotLineEnd);
      case '^':
        return assertion('start');
      case '$':
        return assertion('end');
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
      case '{':
        this.at -= 1;
        return this.fail(`there is nothing to repeat before "${symbol}"`);
      default:
        return character(this.folded(exactly(symbol.codePointAt(0) ?? 0)));
    }
  }

  private group(depth: number): PatternNode {
    const look = this.accept('?') ? this.groupHead() : undefined;
    const inner = this.choice(depth + 1);
    if (!this.accept(')')) this.fail('a group is not closed');
    return look ? { kind: 'look', ...look, part: inner } : inner;
  }

  /** Returns the kind of look-around; undefined for a group. */
  private groupHead(): { readonly ahead: boolean; readonly negated: boolean } | undefined {
    const symbol = this.next();
    if (symbol === ':') return undefined;
    if (symbol === '=' || symbol === '!') return { ahead: true, negated: symbol === '!' };
    if (symbol !== '<') return this.fail('atomic groups and inline flags are not supported');
    if (this.accept('=')) return { ahead: false, negated: false };
    if (this.accept('!')) return { ahead: false, negated: true };
    while (this.next() !== '>') continue;
    return undefined;
  }

  private escape(): PatternNode {
    const symbol = this.peek() ?? this.fail('it ends with a backslash');
    if (symbol === 'b') return (this.at++, assertion('word-boundary'));
    if (symbol === 'B') return (this.at++, assertion('no-word-boundary'));
    if (symbol === 'A') return (this.at++, assertion('start'));
    if (symbol === 'z' || symbol === 'Z') return (this.at++, assertion('end'));
    return character(this.escapedSet());
  }

  /** Parses the part after a backslash: a set of characters or a single character. */
  private escapedSet(): CharacterTest {
    const symbol = this.next();
    const set = shorthand(symbol);
    if (set) return set;
    if (symbol === 'p' || symbol === 'P') return symbol === 'p' ? this.property() : not(this.property());
    return this.folded(exactly(this.escapedCharacter(symbol)));
  }

  private property(): CharacterTest {
    if (!this.accept('{')) return namedProperty(this.next());
    let name = '';
    for (let symbol = this.next(); symbol !== '}'; symbol = this.next()) name += symbol;
    return namedProperty(name);
  }

  private escapedCharacter(symbol: string): number {
    const control = controlCharacter(symbol);
    if (control !== undefined) return control;
    if (symbol === 'x') return this.hexadecimal(2);
    if (symbol === 'u') return this.hexadecimal(4);
    if (/[1-9k]/.test(symbol)) return this.fail('backreferences are not supported');
    if (/[A-Za-z0-9]/.test(symbol)) return this.fail(`the escape "\\${symbol}" is not supported`);
    return symbol.codePointAt(0) ?? 0;
  }

  private hexadecimal(digits: number): number {
    const value = this.text.slice(this.at, this.at + digits).join('');
    if (value.length !== digits || !/^[0-9A-Fa-f]+$/.test(value))
      return this.fail(`expected ${digits} hexadecimal digits`);
    this.at += digits;
    return Number.parseInt(value, 16);
  }

  private characterClass(depth: number): CharacterTest {
    if (depth > MAX_DEPTH) this.fail('character classes are nested too deeply');
    const negated = this.accept('^');
    const tests: CharacterTest[] = [];
    do {
      if (this.peek() === '&' && this.peek(1) === '&')
        this.fail('intersections of character classes are not supported');
      tests.push(this.classMember(depth));
    } while (this.peek() !== ']');
    this.at += 1;
    return negated ? not(oneOf(tests)) : oneOf(tests);
  }

  private classMember(depth: number): CharacterTest {
    const symbol = this.next();
    if (symbol === '[') return this.characterClass(depth + 1);
    let from: number;
    if (symbol === '\\') {
      const escaped = this.peek() ?? '';
      if (shorthand(escaped) || escaped === 'p' || escaped === 'P') return this.escapedSet();
      from = this.escapedCharacter(this.next());
    } else {
      from = symbol.codePointAt(0) ?? 0;
    }
    if (this.peek() !== '-' || this.peek(1) === ']') return this.folded(exactly(from));
    this.at += 1;
    const end = this.next();
    if (end === '[') this.fail('a character range cannot end with a class');
    const to = end === '\\' ? this.escapedCharacter(this.next()) : (end.codePointAt(0) ?? 0);
    if (to < from) this.fail('a character range is in the wrong order');
    return this.folded(between(from, to));
  }

  private peek(ahead = 0): string | undefined {
    return this.text[this.at + ahead];
  }

  private next(): string {
    return this.text[this.at++] ?? this.fail('unexpected end of the pattern');
  }

  private accept(symbol: string): boolean {
    if (this.text[this.at] !== symbol) return false;
    this.at += 1;
    return true;
  }

  private fail(why: string): never {
    throw new PatternError(`The pattern cannot be used: ${why} (character ${this.at + 1}).`);
  }

  /** Case is folded before a class is negated: a case-insensitive `[^a]` also rejects `A`. */
  private folded(test: CharacterTest): CharacterTest {
    return this.ignoreCase ? ignoringCase(test) : test;
  }
}
