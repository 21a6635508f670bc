import { describe, expect, it } from 'vitest';
import { readListSearch } from './list-search.ts';

describe('the URL of a list page', () => {
  it('keeps search text, sort order and page, and drops everything else', () => {
    const search = { text: 'web', sort: 'name', direction: 'desc', page: 2 };
    expect(readListSearch({ ...search, other: true })).toEqual(search);
  });

  it('drops invalid values', () => {
    expect(readListSearch({ text: '', sort: 7, direction: 'up', page: 'zero' })).toEqual({});
    expect(readListSearch({ page: 1 })).toEqual({});
    expect(readListSearch({ page: 2.5 })).toEqual({ page: 2 });
  });

  it('accepts a number as search text', () => {
    expect(readListSearch({ text: 4711 })).toEqual({ text: '4711' });
  });
});
