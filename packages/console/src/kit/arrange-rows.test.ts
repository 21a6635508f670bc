import { describe, expect, it } from 'vitest';
import { arranged, pageOf } from './arrange-rows.ts';

const rows = ['web10', 'Web2', 'mail'].map((name) => ({ name, size: name.length }));
const textOf = ({ name }: { name: string }) => name;
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name);
const asTheyCame = { text: '', textOf, by: undefined, direction: 'asc' } as const;

describe('rows', () => {
  it('stay as they came while nothing is asked for', () => {
    expect(arranged(rows, asTheyCame)).toEqual(rows);
  });

  it('are found by a part of their text, whatever the case', () => {
    expect(names(arranged(rows, { ...asTheyCame, text: ' WEB ' }))).toEqual(['web10', 'Web2']);
  });

  it('are sorted as people sort names, and by numbers, in both directions', () => {
    expect(names(arranged(rows, { ...asTheyCame, by: textOf }))).toEqual(['mail', 'Web2', 'web10']);
    expect(names(arranged(rows, { ...asTheyCame, by: textOf, direction: 'desc' }))).toEqual(['web10', 'Web2', 'mail']);
    expect(names(arranged(rows, { ...asTheyCame, by: ({ size }) => size, direction: 'desc' }))[0]).toBe('web10');
  });

  it('are shown page by page, and the last page stands for those behind it', () => {
    expect(pageOf([1, 2, 3], { wanted: 2, size: 2 })).toEqual({ shown: [3], page: 2, pages: 2 });
    expect(pageOf([1, 2, 3], { wanted: 9, size: 2 })).toEqual({ shown: [3], page: 2, pages: 2 });
    expect(pageOf([], { wanted: undefined, size: 2 })).toEqual({ shown: [], page: 1, pages: 1 });
  });
});
