// What the formatter leaves alone in comments and documents: lines of at most 120 columns, and clauses written as
// `RFC 5280 §4.2`. Migrations are exempt: their text never changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './source-files.ts';

const MAX_COLUMNS = 120;

/** A line that is a comment, or part of a block comment. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/;
/** A comment behind code. Directives of tools stay on the line that they are about. */
const TRAILING_COMMENT = /[;,{}()[\]]\s*\/\/ (?!prettier-ignore|oxlint-disable)/;
/** Words without a space, such as addresses, cannot be wrapped. */
const WRAPPABLE = /^\s*\S+\s.*\s\S/;
const CLAUSE = /\bRFC \d+,? (?:sections?|sect\.|clause|chapter)\s+[\dA-Z]/i;

export const commentProblems = (): string[] =>
  filesBelow('', isChecked).flatMap((path) => problemsIn(path, readFileSync(join(ROOT, path), 'utf8')));

/** All but generated pages, and the test of this check, which shows what it refuses. */
const isChecked = (path: string): boolean =>
  /\.(?:tsx?|css|md)$/.test(path) && !path.startsWith('docs/reference/') && path !== 'tools/comments.test.ts';

export function problemsIn(path: string, text: string): string[] {
  const lengthProblem = path.endsWith('.md') ? proseProblem() : commentProblem;
  return text.split('\n').flatMap((line, index) => {
    const problems = [lengthProblem(line)].filter((problem) => problem !== undefined);
    if (CLAUSE.test(line)) problems.push('a clause is cited with a sign: `RFC 5280 §4.2`');
    return problems.map((what) => `${path}:${index + 1}: ${what}`);
  });
}

function commentProblem(line: string): string | undefined {
  if (line.length <= MAX_COLUMNS) return undefined;
  const isLong = COMMENT_LINE.test(line) ? WRAPPABLE.test(line) : TRAILING_COMMENT.test(line);
  return isLong
    ? `a comment reaches column ${line.length}; wrap it at ${MAX_COLUMNS}, or put it above the line`
    : undefined;
}

/** For the lines of one document, in their order: rows of tables and blocks of code cannot be wrapped. */
function proseProblem(): (line: string) => string | undefined {
  let inCode = false;
  return (line) => {
    if (/^\s*```/.test(line)) inCode = !inCode;
    const isProse = !inCode && !line.startsWith('|') && WRAPPABLE.test(line);
    return isProse && line.length > MAX_COLUMNS
      ? `the text reaches column ${line.length}; wrap it at ${MAX_COLUMNS}`
      : undefined;
  };
}
