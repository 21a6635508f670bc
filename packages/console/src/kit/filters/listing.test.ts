// Searches by name.
import { describe, expect, it } from 'vitest';
import { nameContains, readFilteredSearch } from './listing.ts';

const matchesName = (text: string, name: string): boolean =>
  new RegExp(String(nameContains('NAME', text).value)).test(name);

describe('a search by name', () => {
  it('matches any part of the name, regardless of case', () => {
    expect(matchesName('web', 'The WEB server')).toBe(true);
    expect(matchesName('WÄRME', 'wärmepumpe')).toBe(true);
    expect(matchesName('Straße', 'Straße 1')).toBe(true);
    expect(matchesName('web', 'wiki')).toBe(false);
  });

  it('treats every character literally', () => {
    for (const text of ['a.b', '(', '[x]', 'a*', String.raw`c:\Q`, '^', '-', '***=']) {
      expect(matchesName(text, `<${text}>`), text).toBe(true);
      expect(matchesName(text, 'axb'), text).toBe(false);
    }
  });
});

describe('the URL of a list', () => {
  it('drops unreadable parameters', () => {
    expect(readFilteredSearch({ text: 12, filters: 'none', page: -1, other: 1 })).toEqual({ text: '12' });
  });
});
