import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../source-files.ts';
import { relatedTests } from './related.ts';

const file = (path: string, ...targets: string[]): SourceFile => ({
  path,
  text: '',
  imports: targets.map((target) => ({
    specifier: target,
    typeOnly: target.startsWith('type '),
    target: target.startsWith('@') ? undefined : target,
  })),
});

const GROUPS = 'packages/server/src/areas/groups';
const files = [
  file(`${GROUPS}/store.ts`),
  file(`${GROUPS}/service.ts`, `${GROUPS}/store.ts`),
  file(`${GROUPS}/groups.db.test.ts`, `${GROUPS}/service.ts`),
  file('packages/server/src/app/areas.ts', `${GROUPS}/service.ts`),
  file('packages/server/src/index.ts', 'packages/server/src/app/areas.ts'),
  file('test/e2e/oids.test.ts', '@signetry/server'),
  file('test/e2e/owners-and-groups.test.ts', '@signetry/server'),
  file('packages/cli/src/other.test.ts'),
];
const tests = files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
const resolve = (specifier: string) => (specifier === '@signetry/server' ? 'packages/server/src/index.ts' : undefined);
const related = (...changed: string[]) => relatedTests(changed, { files, tests, resolve });

describe('tests related to a change', () => {
  it('import the changed file directly or indirectly, or are end-to-end tests named after its area', () => {
    expect(related(`${GROUPS}/store.ts`)).toEqual([
      `${GROUPS}/groups.db.test.ts`,
      'test/e2e/owners-and-groups.test.ts',
    ]);
  });

  it('include changed tests themselves', () => {
    expect(related('test/e2e/oids.test.ts')).toEqual(['test/e2e/oids.test.ts']);
  });

  it("include all end-to-end tests if the application's composition changes", () => {
    expect(related('packages/server/src/index.ts')).toEqual([
      'test/e2e/oids.test.ts',
      'test/e2e/owners-and-groups.test.ts',
    ]);
  });

  it('do not exist for a file that no test covers', () => {
    expect(related('README.md')).toEqual([]);
  });
});
