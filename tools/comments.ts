// Style of comments and documents that the formatter does not check: lines of at most 120 columns, and citations like
// `RFC 5280 §4.2`. Migrations are exempt because their text never changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './source-files.ts';

const MAX_COLUMNS = 120;

/** A line that is a comment or part of a block comment. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/;
/** A comment after code. Tool directives must stay on their line. */
const TRAILING_COMMENT = /[;,{}()[\]]\s*\/\/ (?!prettier-ignore|oxlint-disable)/;
/** Words without a space, such as URLs, cannot be wrapped. */
const WRAPPABLE = /^\s*\S+\s.*\s\S/;
const CLAUSE = /\bRFC \d+,? (?:sections?|sect\.|clause|chapter)\s+[\dA-Z]/i;

export const commentProblems = (): string[] =>
  filesBelow('', isChecked).flatMap((path) => problemsIn(path, readFileSync(join(ROOT, path), 'utf8')));

/** All files except generated pages and the test of this check, which contains rejected examples. */
const isChecked = (path: string): boolean =>
  /\.(?:tsx?|css|md)$/.test(path) && !path.startsWith('docs/reference/') && path !== 'tools/comments.test.ts';

export function problemsIn(path: string, text: string): string[] {
  const lengthProblem = path.endsWith('.md') ? proseProblem() : commentProblem;
  return text.split('\n').flatMap((line, index) => {
    const problems = [lengthProblem(line)].filter((problem) => problem !== undefined);
    if (CLAUSE.test(line)) problems.push('cite clauses with a section sign: `RFC 5280 §4.2`');
    return problems.map((what) => `${path}:${index + 1}: ${what}`);
  });
}

function commentProblem(line: string): string | undefined {
  if (line.length <= MAX_COLUMNS) return undefined;
  const isLong = COMMENT_LINE.test(line) ? WRAPPABLE.test(line) : TRAILING_COMMENT.test(line);
  return isLong ? `comment of ${line.length} columns; wrap it at ${MAX_COLUMNS}, or move it above the line` : undefined;
}

/** Returns a check for the consecutive lines of one document. Table rows and code blocks cannot be wrapped. */
function proseProblem(): (line: string) => string | undefined {
  let inCode = false;
  return (line) => {
    if (/^\s*```/.test(line)) inCode = !inCode;
    const isProse = !inCode && !line.startsWith('|') && WRAPPABLE.test(line);
    return isProse && line.length > MAX_COLUMNS
      ? `text of ${line.length} columns; wrap it at ${MAX_COLUMNS}`
      : undefined;
  };
}
