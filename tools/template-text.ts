// Scaffolds leave hints in angle brackets; this finds the ones that somebody forgot to replace.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './source-files.ts';

/** Marks that only templates hold; spelled in two parts, so that this file is not found itself. */
const MARKS = ['__Area', '__area', '__Noun', '__noun'].map((mark) => `${mark}__`);

export function templateProblems(): string[] {
  return filesBelow('packages', (path) => /\.(?:ts|tsx|sql|md)$/.test(path)).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return MARKS.filter((mark) => text.includes(mark)).map((mark) => `${path}: template text ${mark} was not replaced`);
  });
}
