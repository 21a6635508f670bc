import { describe, expect, it } from 'vitest';
import { mapOf, mapProblems } from './area-maps.ts';
import type { SourceFile } from './source-files.ts';

const area = 'packages/server/src/areas/lamps';
const file = (path: string, text = ''): SourceFile => ({ path: `${area}/${path}`, text, imports: [] });
const HEAD = '// Lamps. Owns: lamp.\n//\n';
const MAP = `// store.ts         rows
// service.ts       use cases, on rows/read.ts
// rows/            read.ts reads, write.ts writes
// present.ts       how they are shown
// routes.ts        operations\n`;
const others = ['store.ts', 'service.ts', 'present.ts', 'routes.ts', 'rows/read.ts', 'rows/write.ts'].map((path) =>
  file(path),
);
const problemsOf = (map: string): string[] => mapProblems([file('index.ts', HEAD + map), ...others]);

describe('an area map', () => {
  it('consists of the lines after the first blank line of the file header', () => {
    expect(mapOf({ text: `${HEAD}// a.ts   one\n// b.ts   two\nimport { x } from './a.ts';\n` })).toEqual([
      'a.ts   one',
      'b.ts   two',
    ]);
    expect(mapOf({ text: '// Lamps. Owns: lamp.\nimport x;' })).toEqual([]);
  });

  it('names existing files and folders, which can be relative to the previously named folder', () => {
    expect(problemsOf(MAP)).toEqual([]);
  });

  it('is rejected if it names missing files', () => {
    expect(problemsOf(MAP.replace('store.ts', 'stores.ts'))).toEqual([
      `${area}/index.ts: the area map names stores.ts, which does not exist`,
    ]);
    expect(problemsOf(MAP.replace('write.ts', 'erase.ts'))).toHaveLength(1);
    expect(problemsOf(MAP.replace('rows/  ', 'lines/ '))).not.toEqual([]);
  });

  it('is required in the largest areas, and has a limited length', () => {
    expect(problemsOf('')).toEqual([expect.stringContaining('the area map has 0 lines')]);
    expect(problemsOf('// store.ts   rows\n')).toHaveLength(1);
    expect(problemsOf(MAP.repeat(4))).toHaveLength(1);
  });
});
