import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT } from './source-files.ts';

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesBelow('docs/guide', () => true),
];
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Base folders of paths in documents. */
const PLACES = ['', 'packages', 'packages/server/src', 'packages/console/src'];
const isThere = (path: string): boolean => PLACES.some((place) => existsSync(join(ROOT, place, path)));

describe('the documentation', () => {
  it('links only to existing files', () => {
    const links = DOCUMENTS.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, target = '']) =>
        join(path, '..', target),
      ),
    );
    expect(links.filter((link) => !existsSync(join(ROOT, link)))).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
  });

  it('names only existing files and folders', () => {
    const named = DOCUMENTS.flatMap((path) =>
      [...textOf(path).matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, name = '']) => `${path}: ${name}`),
    ).filter((line) =>
      /: (?:packages|contract|server|console|cli|pki|app|areas|platform|kernel|protocols|kit|tools|test)\//.test(line),
    );
    expect(named.filter((line) => !isThere(line.split(': ')[1] ?? ''))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });
});
