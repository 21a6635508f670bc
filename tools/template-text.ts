// Scaffolds contain hints between double underscores; this check finds hints that were not replaced.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './source-files.ts';

const HINTS = ['area', 'noun'].map((word) => `__${word}__`);

export function templateProblems(): string[] {
  return filesBelow('packages', (path) => /\.(?:ts|tsx|sql|md)$/.test(path)).flatMap((path) =>
    hintsIn(path, readFileSync(join(ROOT, path), 'utf8')),
  );
}

export const hintsIn = (path: string, text: string): string[] =>
  HINTS.filter((hint) => text.includes(hint)).map(
    (hint) => `${path}: the scaffold placeholder ${hint} was not replaced`,
  );
