import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { printable, widthOf } from './printable.ts';
import { renderFacts, renderTable, type Column } from './table.ts';

interface Row {
  readonly name: string;
  readonly state: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'Name', text: ({ name }) => name },
  { title: 'State', text: ({ state }) => state, tone: ({ state }) => (state === 'bad' ? 'bad' : undefined) },
];

describe('a table', () => {
  it('aligns its columns and has no trailing spaces', () => {
    const rows = [
      { name: 'web.example', state: 'issued' },
      { name: 'a', state: '' },
    ];
    expect(renderTable(rows, { columns, colour: false })).toBe('Name         State\nweb.example  issued\na');
  });

  it('aligns wide and combining characters by their display width', () => {
    const rows = [
      { name: '例え', state: 'x' },
      { name: 'e\u0301abc', state: 'y' },
    ];
    expect(renderTable(rows, { columns, colour: false })).toBe('Name  State\n例え  x\ne\u0301abc  y');
    expect(widthOf('例え')).toBe(4);
  });

  it('fits the terminal: it drops minor columns, truncates wide ones, and never truncates values that users copy', () => {
    const rows = [{ name: 'a-very-long-name.example', state: 'issued' }];
    const [first, second] = columns as [Column<Row>, Column<Row>];
    const of = (width: number) =>
      renderTable(rows, {
        columns: [first, { title: 'Note', text: () => 'noted here', isMinor: true }, { ...second, isWhole: true }],
        colour: false,
        width,
      });
    const cells = (width: number) => of(width).split('\n')[1]?.split(/ {2,}/);
    expect(cells(100)).toEqual(['a-very-long-name.example', 'noted here', 'issued']);
    expect(cells(32)).toEqual(['a-very-long…', 'noted here', 'issued']);
    expect(cells(20)).toEqual(['a-very-long…', 'issued']);
    for (const width of [20, 25, 32, 40])
      expect(Math.max(...of(width).split('\n').map(widthOf)), String(width)).toBeLessThanOrEqual(width);
    expect(cells(5)).toEqual(['a-very-…', 'issued']);
  });

  it('has the same text with and without color', () => {
    const rows = [{ name: 'a', state: 'bad' }];
    const coloured = renderTable(rows, { columns, colour: true });
    expect(coloured).not.toBe(stripVTControlCharacters(coloured));
    expect(stripVTControlCharacters(coloured)).toBe(renderTable(rows, { columns, colour: false }));
  });

  it('does not let a name control the terminal or add lines', () => {
    const rows = [{ name: 'a\u001B[2J\nb\u202Ec\u009Bd', state: 'x' }];
    expect(renderTable(rows, { columns, colour: false }).split('\n')[1]).toBe('a\uFFFD[2J\uFFFDb\uFFFDc\uFFFDd  x');
    expect(printable('plain – text, ÄÖ 例')).toBe('plain – text, ÄÖ 例');
  });
});

describe('a list of facts', () => {
  it('omits absent values', () => {
    expect(
      renderFacts(
        [
          ['Name', 'a'],
          ['Owner', undefined],
          ['Groups', ''],
          ['Serial number', '1'],
        ],
        { colour: false },
      ),
    ).toBe('Name           a\nSerial number  1');
  });
});
