// What the formatter leaves alone in comments: lines of at most 120 columns, and clauses written as `RFC 5280 §4.2`.
// Migrations are exempt: their text never changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './source-files.ts';

const MAX_COLUMNS = 120;

/** Folders that are checked. */
const FOLDERS = [
  'packages/cli',
  'packages/client',
  'packages/connector-sdk',
  'packages/connectors',
  'packages/server/src/app',
  'packages/server/src/kernel',
  'packages/server/src/platform',
  'packages/testkit',
  'test/conformance',
  'test/e2e',
  'test/faults',
  'test/load',
  'tools',
  'docs/adr',
  'docs/guide',
];

/** A line that is a comment, or part of a block comment. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/;
/** A comment behind code. Directives of tools stay on the line that they are about. */
const TRAILING_COMMENT = /[;,{}()[\]]\s*\/\/ (?!prettier-ignore|oxlint-disable)/;
/** Words without a space, such as addresses, cannot be wrapped. */
const WRAPPABLE = /^\s*\S+\s.*\s\S/;
const CLAUSE = /\bRFC \d+,? (?:sections?|sect\.|clause|chapter)\s+[\dA-Z]/i;

export function commentProblems(): string[] {
  return FOLDERS.flatMap((folder) => filesBelow(folder, isChecked)).flatMap((path) =>
    problemsIn(path, readFileSync(join(ROOT, path), 'utf8')),
  );
}

const isChecked = (path: string): boolean => /\.(?:tsx?|md)$/.test(path) && path !== 'tools/comments.test.ts';

export const problemsIn = (path: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => lineProblems(line, path).map((what) => `${path}:${index + 1}: ${what}`));

function lineProblems(line: string, path: string): string[] {
  const problems: string[] = [];
  if (!path.endsWith('.md') && line.length > MAX_COLUMNS && hasLongComment(line))
    problems.push(`a comment reaches column ${line.length}; wrap it at ${MAX_COLUMNS}, or put it above the line`);
  if (CLAUSE.test(line)) problems.push('a clause is cited with a sign: `RFC 5280 §4.2`');
  return problems;
}

const hasLongComment = (line: string): boolean =>
  COMMENT_LINE.test(line) ? WRAPPABLE.test(line) : TRAILING_COMMENT.test(line);
