import { describe, expect, it } from 'vitest';
import { fenceProblems } from './fences.ts';
import { folderCircles } from './folder-circles.ts';
import { readImports, sourceFiles } from './source-files.ts';

const file = (path: string, text: string) => ({ path, text, imports: readImports(path, text) });
const area = 'packages/server/src/areas';

describe('the import fences', () => {
  it.each([
    [
      'a platform file that imports an area',
      `packages/server/src/platform/http/a.ts`,
      `import { x } from '../../areas/groups/index.ts';`,
      /imports must follow the layers/,
    ],
    [
      'an area that bypasses an index',
      `${area}/certificates/a.ts`,
      `import { x } from '../groups/store.ts';`,
      /only through their index/,
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
      'a connector that imports the platform',
      'packages/connectors/x/src/a.ts',
      `import { x } from '@signetry/server';`,
      /separable from the repository/,
    ],
    ['the contract with another library', 'packages/contract/src/a.ts', `import x from 'lodash';`, /imports zod only/],
    [
      'I/O in a file declared pure',
      `${area}/groups/rules.ts`,
      `// Rules. Pure.\nimport 'node:fs';`,
      /declares it pure/,
    ],
    [
      'the database in a file declared pure',
      `${area}/groups/rules.ts`,
      `// Rules. No I/O.\nimport { x } from '../../platform/database/database.ts';`,
      /declares it pure/,
    ],
    ['a default export', 'packages/cli/src/a.ts', 'export default 1;', /default export/],
    ['a barrel that is not an index', 'packages/cli/src/a.ts', `export * from './b.ts';`, /only index.ts/],
  ])('reject %s', (_name, path, text, message) => {
    expect(fenceProblems([file(path, text)]).join('\n')).toMatch(message);
  });

  it('find a cycle and name the files in it', () => {
    const problems = fenceProblems([
      file('packages/cli/src/a.ts', `import './b.ts';`),
      file('packages/cli/src/b.ts', `import './a.ts';`),
    ]);
    expect(problems).toEqual(['import cycle: packages/cli/src/a.ts -> packages/cli/src/b.ts -> packages/cli/src/a.ts']);
  });

  it('find a cycle between folders without a cycle between files, and name an import for each step', () => {
    const files = [
      file('packages/cli/src/a/one.ts', `import '../b/two.ts';`),
      file('packages/cli/src/b/two.ts', ''),
      file('packages/cli/src/b/three.ts', `import '../c/four.ts';`),
      file('packages/cli/src/c/four.ts', `import type { X } from '../a/five.ts';`),
      file('packages/cli/src/a/five.ts', ''),
    ];
    expect(folderCircles(files, 'packages/cli/src')).toEqual([
      'folder cycle: packages/cli/src/a -> packages/cli/src/b -> packages/cli/src/c -> packages/cli/src/a: ' +
        'packages/cli/src/a/one.ts imports packages/cli/src/b/two.ts; ' +
        'packages/cli/src/b/three.ts imports packages/cli/src/c/four.ts; ' +
        'packages/cli/src/c/four.ts imports packages/cli/src/a/five.ts; move the shared code to a lower folder',
    ]);
  });

  it.each([
    ['folders of a folder', 'areas/a/x.ts', 'areas/b/y.ts'],
    ['a folder and one in it', 'ui/x.ts', 'ui/fields/y.ts'],
  ])('find a cycle between %s', (_what, one, other) => {
    const root = 'packages/cli/src';
    const [x, y, z] = [one, other, other.replace('y.ts', 'z.ts')];
    const from = (path: string, target: string) =>
      file(`${root}/${path}`, `import '${'../'.repeat(path.split('/').length)}src/${target}';`);
    const files = [from(x, y), file(`${root}/${y}`, ''), from(z, x)];
    expect(folderCircles(files, root)).toEqual([expect.stringContaining('folder cycle')]);
  });

  it("find a folder cycle in every area, but ignore files directly in the area's folder", () => {
    const files = [
      file(`${area}/identity/roles/x.ts`, `import '../users/y.ts';`),
      file(`${area}/identity/users/y.ts`, ''),
      file(`${area}/identity/users/z.ts`, `import '../roles/w.ts';\nimport type { T } from '../tables.ts';`),
      file(`${area}/identity/roles/w.ts`, ''),
      file(`${area}/identity/tables.ts`, `import './users/y.ts';`),
    ];
    expect(fenceProblems(files)).toEqual([expect.stringContaining('folder cycle')]);
  });

  it('allow one-way imports between folders, any imports in tests, and cycles elsewhere', () => {
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

  it('read multi-line imports, type imports and dynamic imports', () => {
    const text = `import {\n  a,\n  type B,\n} from './x.ts';\nimport type { C } from '@signetry/pki';\nconst d = await import('./y.ts');`;
    expect(readImports('packages/cli/src/a.ts', text).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ['./x.ts', false],
      ['@signetry/pki', true],
      ['./y.ts', false],
    ]);
  });

  it('cover all source files in this repository', () => {
    expect(sourceFiles().length).toBeGreaterThan(100);
  });
});
