import { describe, expect, it } from 'vitest';
import { areaTemplate } from './area-template.ts';
import { fenceProblems } from './fences.ts';
import { readImports } from './source-files.ts';
import { hintsIn, templateProblems } from './template-text.ts';

describe('the scaffold of an area', () => {
  const files = [...areaTemplate('key-stores')].map(([name, text]) => {
    const path = `packages/server/src/areas/key-stores/${name}`;
    return { path, text, imports: readImports(path, text) };
  });

  it('keeps the import fences once it has a tier', () => {
    const problems = fenceProblems(files).filter((problem) => !problem.includes('not in a lower tier'));
    expect(problems).toEqual([]);
  });

  it('leaves hints that the check finds', () => {
    expect(files.flatMap(({ path, text }) => hintsIn(path, text)).length).toBeGreaterThan(2);
  });

  it('has left no hint in this repository', () => {
    expect(templateProblems()).toEqual([]);
  });
});
