// Generates a text that matches a pattern, e.g. to test a form whose fields have patterns.
import { linearPattern } from './linear-pattern.ts';
import { parsePattern, type PatternNode } from './parse-pattern.ts';
import { PatternError } from './pattern-error.ts';

/** Letters and digits come first, so that generated text looks harmless. */
const CANDIDATES: readonly number[] = [
  ...[...'ae1AZ0.-_/ '].map((character) => character.codePointAt(0) ?? 0),
  ...Array.from({ length: 0x250 }, (_, code) => code).filter((code) => code >= 0x20),
];
/** Default number of repetitions, to keep texts short. */
const USUAL_REPEATS = 3;

/** Returns one of the shorter matching texts; undefined if none is found or the pattern is in a different dialect. */
export function matchingText(source: string): string | undefined {
  try {
    const root = parsePattern(source);
    const compiled = linearPattern(source);
    // Assertions may exclude the default number of repetitions.
    return [USUAL_REPEATS, 1, 0, 8]
      .map((repeats) => textOf(root, repeats))
      .find((text) => text !== undefined && compiled.matches(text));
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function textOf(node: PatternNode, repeats: number): string | undefined {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
    case 'look':
      return '';
    case 'character': {
      const code = CANDIDATES.find((candidate) => node.test(candidate));
      return code === undefined ? undefined : String.fromCodePoint(code);
    }
    case 'sequence': {
      const parts = node.parts.map((part) => textOf(part, repeats));
      return parts.includes(undefined) ? undefined : parts.join('');
    }
    case 'choice':
      return node.options.map((option) => textOf(option, repeats)).find((text) => text !== undefined);
    case 'repeat': {
      const part = textOf(node.part, repeats);
      const count = Math.min(node.max, Math.max(node.min, repeats));
      return part === undefined ? (node.min === 0 ? '' : undefined) : part.repeat(count);
    }
  }
}
