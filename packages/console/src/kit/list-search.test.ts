import { describe, expect, it } from 'vitest';
import { readListSearch } from './list-search.ts';

describe('the address of a list', () => {
  it('keeps text, sort and page, and leaves out the rest', () => {
    const search = { text: 'web', sort: 'name', direction: 'desc', page: 2 };
    expect(readListSearch({ ...search, other: true })).toEqual(search);
  });

  it('leaves out what cannot be read', () => {
    expect(readListSearch({ text: '', sort: 7, direction: 'up', page: 'zero' })).toEqual({});
    expect(readListSearch({ page: 1 })).toEqual({});
    expect(readListSearch({ page: 2.5 })).toEqual({ page: 2 });
  });

  it('takes a number for the text that somebody looks for', () => {
    expect(readListSearch({ text: 4711 })).toEqual({ text: '4711' });
  });
});
