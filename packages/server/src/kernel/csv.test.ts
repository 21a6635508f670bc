import { describe, expect, it } from 'vitest';
import { csvField, csvLineOf, type CsvQuotes } from './csv.ts';

describe('a CSV field', () => {
  it.each<[string | null | undefined, CsvQuotes, string]>([
    [null, 'doubled', ''],
    [undefined, 'doubled', ''],
    ['', 'doubled', ''],
    ['plain text', 'doubled', 'plain text'],
    ['CN=a, O=b', 'doubled', '"CN=a, O=b"'],
    ['say "no"', 'doubled', '"say ""no"""'],
    ['say "no"', 'backslash', String.raw`"say \"no\""`],
    [String.raw`O=a\, b`, 'doubled', String.raw`"O=a\, b"`],
    [String.raw`a\b`, 'doubled', String.raw`a\b`],
    [String.raw`a\b`, 'backslash', String.raw`"a\\b"`],
    ['two\nlines', 'doubled', '"two\nlines"'],
    [' padded ', 'doubled', '" padded "'],
    ['žluťoučký', 'doubled', 'žluťoučký'],
  ])('%j with %s quotes is %s', (text, quotes, written) => {
    expect(csvField(text, quotes)).toBe(written);
  });

  it('never begins with a character that starts a formula', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r'])
      for (const quotes of ['doubled', 'backslash'] as const)
        expect(csvField(`${start}SUM(1,2)`, quotes)).toMatch(/^"'/);
    expect(csvField('=1', 'doubled')).toBe("'=1");
    expect(csvField('a=1', 'doubled')).toBe('a=1');
  });
});

describe('a CSV line', () => {
  it('ends with the line break that RFC 4180 specifies', () => {
    expect(csvLineOf(['a', '', 'b'])).toBe('a,,b\r\n');
  });
});
