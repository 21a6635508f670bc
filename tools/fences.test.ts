import { describe, expect, it } from 'vitest';
import { fenceProblems } from './fences.ts';
import { folderCircles } from './folder-circles.ts';
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
    [
      'SQL outside of a store of a protocol',
      'packages/server/src/protocols/acme/orders/read-order.ts',
      `import { sql } from 'kysely';`,
      /only store files use SQL/,
    ],
    [
      'a statement that needs no import',
      `${area}/groups/service.ts`,
      'await database.query(text);',
      /only store files/,
    ],
    [
      'a hot statement outside of a store',
      'packages/server/src/protocols/acme/http.ts',
      `const FIND = hotStatement('find', text);`,
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
    [
      'I/O in a file that says it is pure',
      `${area}/groups/rules.ts`,
      `// Rules. Pure.\nimport 'node:fs';`,
      /it is pure/,
    ],
    [
      'the database in such a file',
      `${area}/groups/rules.ts`,
      `// Rules. No I/O.\nimport { x } from '../../platform/database/database.ts';`,
      /it is pure/,
    ],
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

  it('finds a circle of folders where no files are in one, and names an import for each step', () => {
    const files = [
      file('packages/cli/src/a/one.ts', `import '../b/two.ts';`),
      file('packages/cli/src/b/two.ts', ''),
      file('packages/cli/src/b/three.ts', `import '../c/four.ts';`),
      file('packages/cli/src/c/four.ts', `import type { X } from '../a/five.ts';`),
      file('packages/cli/src/a/five.ts', ''),
    ];
    expect(folderCircles(files, 'packages/cli/src')).toEqual([
      'circle of folders: packages/cli/src/a -> packages/cli/src/b -> packages/cli/src/c -> packages/cli/src/a: ' +
        'packages/cli/src/a/one.ts imports packages/cli/src/b/two.ts; ' +
        'packages/cli/src/b/three.ts imports packages/cli/src/c/four.ts; ' +
        'packages/cli/src/c/four.ts imports packages/cli/src/a/five.ts; move what both need below both',
    ]);
  });

  it.each([
    ['folders of a folder', 'areas/a/x.ts', 'areas/b/y.ts'],
    ['a folder and one in it', 'ui/x.ts', 'ui/fields/y.ts'],
  ])('finds a circle between %s', (_what, one, other) => {
    const root = 'packages/cli/src';
    const [x, y, z] = [one, other, other.replace('y.ts', 'z.ts')];
    const from = (path: string, target: string) =>
      file(`${root}/${path}`, `import '${'../'.repeat(path.split('/').length)}src/${target}';`);
    const files = [from(x, y), file(`${root}/${y}`, ''), from(z, x)];
    expect(folderCircles(files, root)).toEqual([expect.stringContaining('circle of folders')]);
  });

  it('finds a circle of folders in every area, through other files than its own', () => {
    const files = [
      file(`${area}/identity/roles/x.ts`, `import '../users/y.ts';`),
      file(`${area}/identity/users/y.ts`, ''),
      file(`${area}/identity/users/z.ts`, `import '../roles/w.ts';\nimport type { T } from '../tables.ts';`),
      file(`${area}/identity/roles/w.ts`, ''),
      file(`${area}/identity/tables.ts`, `import './users/y.ts';`),
    ];
    expect(fenceProblems(files)).toEqual([expect.stringContaining('circle of folders')]);
  });

  it('allows folders that import one way, tests that look at anything, and circles elsewhere', () => {
    const files = [
      file('packages/cli/src/a/one.ts', `import '../b/two.ts';`),
      file('packages/cli/src/b/two.ts', ''),
      file('packages/cli/src/b/two.test.ts', `import '../a/one.ts';`),
    ];
    expect(folderCircles(files, 'packages/cli/src')).toEqual([]);
    expect(folderCircles([...files, file('packages/cli/src/b/x.ts', `import '../a/one.ts';`)], 'packages/sdk')).toEqual(
      [],
    );
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
