// The texts that people read in a file: sentences of comments and documents, labels, messages, test titles. Found line
// by line, without a parser, so that the check of the whole repository takes a second.

export type TextKind = 'console' | 'cli' | 'message' | 'document' | 'comment' | 'test';

export interface FoundText {
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

const TEST_FILE = /\.test\.tsx?$|\/testing\/|^test\//;
const COMMENT = /^\s*(?:\/\/|\/?\*\*?(?!\/))\s?(.*?)(?:\*\/)?\s*$/;
/** Template holes may contain literals, which would otherwise end the template. */
const LITERAL = /(['"])((?:\\.|(?!\1).)*)\1|`((?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`])*)`/g;
const MIN_LENGTH = 8;
const TITLE =
  /(?<![.\w])(?:it|test|describe)(?:\.(?:each|for|only|skip|skipIf|runIf|todo|sequential|concurrent))*(?:\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/;
const JSX_TEXT = /^\s*([A-Z][^{}<>=;()]{8,200})$/;
const SQL = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|COMMENT ON)\b/;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`"])/;

/** Names of commands and routes, and examples of commands: `keys list`, `GET /x/v1/keys`, `signetry keys list`. */
const COMMAND = /^(?:[a-z-]+ (?:create|list|revoke|show)|[A-Z]+ \/\S+|(?:eval "\$\()?signetry .*)$/;

/** Text of at least two words, and no code. */
const isProse = (text: string): boolean =>
  /[a-z]{2,} \S/i.test(text) && !/=>|^\W*import |className/.test(text) && !COMMAND.test(text);

/** Template holes, code in backticks and names of source files are not prose. */
const withoutCode = (text: string): string =>
  text
    .replace(/\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g, 'x')
    .replace(/`[^`]*`/g, 'x')
    .replace(/(?:[\w-]+\/)*[\w-]+\.(?:tsx?|md)\b/g, 'x');

export function textsOf(path: string, content: string): FoundText[] {
  if (path.endsWith('.md')) return documentTexts(content);
  const lines = content.split('\n');
  const literals = TEST_FILE.test(path) ? titlesIn(lines) : literalsIn(lines, kindOf(path));
  return [...commentTexts(lines), ...literals];
}

function kindOf(path: string): TextKind {
  if (path.startsWith('packages/console/')) return 'console';
  return path.startsWith('packages/cli/') ? 'cli' : 'message';
}

function commentTexts(lines: readonly string[]): FoundText[] {
  const found: FoundText[] = [];
  let block: string[] = [];
  const finish = (line: number): void => {
    for (const sentence of block.join(' ').split(SENTENCE_END))
      if (isProse(sentence)) found.push({ line, kind: 'comment', text: withoutCode(sentence).trim() });
    block = [];
  };
  for (const [index, line] of lines.entries()) {
    const comment = COMMENT.exec(line);
    if (comment) block.push(comment[1] ?? '');
    else if (block.length > 0) finish(index);
  }
  finish(lines.length);
  return found;
}

function literalsIn(lines: readonly string[], kind: TextKind): FoundText[] {
  return lines.flatMap((line, index) => {
    if (COMMENT.test(line) || /^\s*(?:import|export .* from)\b/.test(line)) return [];
    const literals = [...line.matchAll(LITERAL)].map(([, , text, template]) => text ?? template ?? '');
    const jsx = kind === 'console' ? JSX_TEXT.exec(line)?.[1] : undefined;
    return [...literals, ...(jsx === undefined ? [] : [jsx])]
      .filter((text) => text.length >= MIN_LENGTH && isProse(text) && !SQL.test(text))
      .flatMap((text) => withoutCode(text).split(SENTENCE_END))
      .map((text) => ({ line: index + 1, kind, text: text.trim() }));
  });
}

const titlesIn = (lines: readonly string[]): FoundText[] =>
  lines.flatMap((line, index) => {
    const title = TITLE.exec(line)?.[2];
    return title === undefined || COMMAND.test(title)
      ? []
      : [{ line: index + 1, kind: 'test' as const, text: withoutCode(title) }];
  });

function documentTexts(content: string): FoundText[] {
  const prose = content.replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/[^\n]/g, ''));
  let line = 1;
  return prose.split(/\n\s*\n/).flatMap((block) => {
    const at = line;
    line += block.split('\n').length + 1;
    return withoutCode(block.replaceAll(/^\s*(?:[-*>|#]+|\d+\.)\s*/gm, '').replaceAll('\n', ' '))
      .split(/(?<=[.!?:])\s+(?=[A-Z`])|\s\|\s/)
      .filter(isProse)
      .map((text) => ({ line: at, kind: 'document' as const, text: text.trim() }));
  });
}
