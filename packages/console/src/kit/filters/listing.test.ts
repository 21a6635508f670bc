// Searches by name.
import { describe, expect, it } from 'vitest';
import { inName, readFilteredSearch } from './listing.ts';

const finds = (text: string, name: string): boolean => new RegExp(String(inName('NAME', text).value)).test(name);

describe('a search by name', () => {
  it('matches any part of the name, regardless of case', () => {
    expect(finds('web', 'The WEB server')).toBe(true);
    expect(finds('WÄRME', 'wärmepumpe')).toBe(true);
    expect(finds('Straße', 'Straße 1')).toBe(true);
    expect(finds('web', 'wiki')).toBe(false);
  });

  it('treats every character literally', () => {
    for (const text of ['a.b', '(', '[x]', 'a*', String.raw`c:\Q`, '^', '-', '***=']) {
      expect(finds(text, `<${text}>`), text).toBe(true);
      expect(finds(text, 'axb'), text).toBe(false);
    }
  });
});

describe('the URL of a list', () => {
  it('drops unreadable parameters', () => {
    expect(readFilteredSearch({ text: 12, filters: 'none', page: -1, other: 1 })).toEqual({ text: '12' });
  });
});
