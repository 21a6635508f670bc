import { describe, expect, it } from 'vitest';
import { fenceProblems } from './fences.ts';
import { readImports, sourceFiles } from './source-files.ts';

const file = (path: string, text: string) => ({ path, text, imports: readImports(path, text) });
const area = 'packages/server/src/areas';

describe('import fences', () => {
  it.each([
    [
      'a platform file that knows an area',
      `packages/server/src/platform/http/a.ts`,
      `import { x } from '../../areas/groups/index.ts';`,
      /imports point one way/,
    ],
    [
      'an area that reaches past an index',
      `${area}/certificates/a.ts`,
      `import { x } from '../groups/store.ts';`,
      /only through its index/,
    ],
    [
      'an area that imports a higher tier',
      `${area}/groups/a.ts`,
      `import type { X } from '../certificates/index.ts';`,
      /not in a lower tier/,
    ],
    [
      'SQL outside of a store',
      `${area}/groups/service.ts`,
      `import { sql } from 'kysely';`,
      /only store files use SQL/,
    ],
    ['HTTP outside of routes', `${area}/groups/service.ts`, `import fastify from 'fastify';`, /only routes use HTTP/],
    ['a node module in pki', 'packages/pki/src/der/a.ts', `import { x } from 'node:fs';`, /pki is pure/],
    [
      'a connector that knows the platform',
      'packages/connectors/x/src/a.ts',
      `import { x } from '@signetry/server';`,
      /could leave the repository/,
    ],
    ['the contract with another library', 'packages/contract/src/a.ts', `import x from 'lodash';`, /imports zod only/],
    ['a default export', 'packages/cli/src/a.ts', 'export default 1;', /no default exports/],
    ['a barrel that is not an index', 'packages/cli/src/a.ts', `export * from './b.ts';`, /only index.ts/],
  ])('refuses %s', (_name, path, text, message) => {
    expect(fenceProblems([file(path, text)]).join('\n')).toMatch(message);
  });

  it('finds a circle and names it', () => {
    const problems = fenceProblems([
      file('packages/cli/src/a.ts', `import './b.ts';`),
      file('packages/cli/src/b.ts', `import './a.ts';`),
    ]);
    expect(problems).toEqual([
      'circle of imports: packages/cli/src/a.ts -> packages/cli/src/b.ts -> packages/cli/src/a.ts',
    ]);
  });

  it('finds folders of an area that import each other, in whatever files', () => {
    const problems = fenceProblems([
      file(`${area}/groups/low/a.ts`, `import './b.ts';`),
      file(`${area}/groups/low/b.ts`, `import type { X } from '../high/x.ts';`),
      file(`${area}/groups/high/y.ts`, `import '../low/a.ts';`),
      file(`${area}/groups/index.ts`, `import './high/y.ts';`),
    ]);
    expect(problems).toEqual([`circle of folders: ${area}/groups/low -> ${area}/groups/high -> ${area}/groups/low`]);
  });

  it('reads imports over several lines, type imports and dynamic ones', () => {
    const text = `import {\n  a,\n  type B,\n} from './x.ts';\nimport type { C } from '@signetry/pki';\nconst d = await import('./y.ts');`;
    expect(readImports('packages/cli/src/a.ts', text).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ['./x.ts', false],
      ['@signetry/pki', true],
      ['./y.ts', false],
    ]);
  });

  it('sees the sources of this repository', () => {
    expect(sourceFiles().length).toBeGreaterThan(100);
  });
});
