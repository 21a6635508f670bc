import { describe, expect, it } from 'vitest';
import { arrangeRows, pageOf } from './arrange-rows.ts';

const rows = ['web10', 'Web2', 'mail'].map((name) => ({ name, size: name.length }));
const textOf = ({ name }: { name: string }) => name;
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name);
const asTheyCame = { text: '', textOf, by: undefined, direction: 'asc' } as const;

describe('rows', () => {
  it('keep their original order by default', () => {
    expect(arrangeRows(rows, asTheyCame)).toEqual(rows);
  });

  it('are found by part of their text, regardless of case', () => {
    expect(names(arrangeRows(rows, { ...asTheyCame, text: ' WEB ' }))).toEqual(['web10', 'Web2']);
  });

  it('are sorted by name in natural order, and by number, in both directions', () => {
    expect(names(arrangeRows(rows, { ...asTheyCame, by: textOf }))).toEqual(['mail', 'Web2', 'web10']);
    expect(names(arrangeRows(rows, { ...asTheyCame, by: textOf, direction: 'desc' }))).toEqual([
      'web10',
      'Web2',
      'mail',
    ]);
    expect(names(arrangeRows(rows, { ...asTheyCame, by: ({ size }) => size, direction: 'desc' }))[0]).toBe('web10');
  });

  it('are shown page by page, and pages beyond the end show the last one', () => {
    expect(pageOf([1, 2, 3], { wanted: 2, size: 2 })).toEqual({ shown: [3], page: 2, pages: 2 });
    expect(pageOf([1, 2, 3], { wanted: 9, size: 2 })).toEqual({ shown: [3], page: 2, pages: 2 });
    expect(pageOf([], { wanted: undefined, size: 2 })).toEqual({ shown: [], page: 1, pages: 1 });
  });
});
