// Finds wording that docs/guide/style-and-terms.md replaces, in labels, messages, documents, comments and test titles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './source-files.ts';
import { WORD_PATTERNS } from './words/patterns.ts';
import { textsOf } from './words/texts.ts';

/** The style guide quotes what it replaces; generated pages repeat sources; migrations never change. */
const EXEMPT = /^docs\/reference\/|^docs\/guide\/style-and-terms\.md$|^tools\/words|\/migrations\.ts$/;
/** Texts that are signed or that derive keys, so they can never change. */
const FIXED = /^(?:signetry audit end 1|enrolment secret x)$/;

export const wordProblems = (): string[] =>
  filesBelow('', (path) => /\.(?:tsx?|md)$/.test(path) && !EXEMPT.test(path)).flatMap((path) =>
    wordProblemsIn(path, readFileSync(join(ROOT, path), 'utf8')),
  );

export const wordProblemsIn = (path: string, content: string): string[] =>
  textsOf(path, content).flatMap(({ line, text }) =>
    WORD_PATTERNS.flatMap(({ rule, pattern, better }) => {
      if (FIXED.test(text)) return [];
      const found = pattern.exec(text)?.[0];
      if (found === undefined) return [];
      const reason = rule === 0 ? 'spelling' : `rule ${rule}`;
      return [`${path}:${line}: "${found.trim()}" (${reason}); write: ${better}`];
    }),
  );
