import { describe, expect, it } from 'vitest';
import { readImports, sourceFiles } from './source-files.ts';
import { platformTables, tableProblems } from './table-owners.ts';
import { tableReferences } from './table-references.ts';

const file = (path: string, text: string) => ({ path, text, imports: readImports(path, text) });
const areas = 'packages/server/src/areas';
const lamps = file(`${areas}/lamps/index.ts`, '// Lamps.\n// Owns: lamp,\n// lamp_bulb. Invariants: they shine.\n');
const rooms = file(`${areas}/rooms/index.ts`, '// Owns: room.\n');
const tables = new Set(['lamp', 'lamp_bulb', 'room']);

interface Allowed {
  readonly path?: string;
  readonly foreignReads?: readonly { readonly table: string }[];
  readonly foreignWrites?: readonly { readonly table: string }[];
}

const problemsWith = (text: string, { path = 'lamps/store.ts', foreignReads = [], foreignWrites = [] }: Allowed = {}) =>
  tableProblems([lamps, rooms, file(`${areas}/${path}`, text)], {
    tables,
    foreignReads: foreignReads.map((read) => ({ from: 'areas/lamps', why: 'a test', ...read })),
    foreignWrites: foreignWrites.map((write) => ({ from: 'areas/lamps', why: 'a test', ...write })),
  });

describe('the table owner check', () => {
  it('finds no problems if every area uses only its own tables', () => {
    expect(problemsWith('sql`SELECT FROM lamp JOIN lamp_bulb b ON true`')).toEqual([]);
  });

  it.each([
    ['a table without an owner', [lamps], /table room: has no owner/],
    [
      'a table with two owners',
      [lamps, rooms, file(`${areas}/x/index.ts`, '// Owns: room.')],
      /areas\/rooms also owns/,
    ],
    [
      'a table that does not exist',
      [lamps, rooms, file(`${areas}/x/index.ts`, '// Owns: door.')],
      /not created by a migration/,
    ],
    [
      'an area without an Owns line',
      [lamps, rooms, file(`${areas}/x/index.ts`, '// Owner of all.')],
      /no "Owns:" line/,
    ],
  ])('finds %s', (_what, files, message) => {
    expect(tableProblems(files, { tables, foreignReads: [], foreignWrites: [] })).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it('accepts areas without tables, and platform folders with tables', () => {
    const files = [
      lamps,
      file(`${areas}/x/index.ts`, '// Owns: no table.'),
      file('packages/server/src/platform/rooms/any.ts', '// Owns: room.'),
    ];
    expect(tableProblems(files, { tables, foreignReads: [], foreignWrites: [] })).toEqual([]);
  });

  it('compares the tables that a connector owns with its migrations', () => {
    const folder = 'packages/connectors/lighting/src';
    const migrations = file(`${folder}/migrations.ts`, 'const a = `CREATE TABLE ${schema}.wire (uuid uuid)`;');
    const problemsOf = (owns: string) =>
      tableProblems([lamps, rooms, migrations, file(`${folder}/index.ts`, `// ${owns}`)], {
        tables,
        foreignReads: [],
        foreignWrites: [],
      });
    expect(problemsOf('Owns: wire.')).toEqual([]);
    expect(problemsOf('Owns: wire, plug.')).toEqual([expect.stringContaining('differ in plug')]);
    expect(problemsOf('A connector.')).toEqual([expect.stringContaining('differ in wire')]);
  });
});

describe('foreign tables', () => {
  it.each([
    ['in text of SQL', 'sql`SELECT FROM lamp, room r WHERE true`'],
    ['in a join', 'hotStatement("a", "SELECT FROM lamp JOIN room ON true")'],
    ['in the query builder', `tables(executor).selectFrom('room as r')`],
    ['in a join of the query builder', `query.leftJoin('room', 'room.uuid', 'lamp.room_uuid')`],
    ['in a part of a statement', 'const from = sql`room r JOIN lamp l ON l.room_uuid = r.uuid`;'],
    ['by name', `reference({ column: 'room_uuid', table: 'room' })`],
  ])('must not be read %s', (_where, text) => {
    expect(problemsWith(text)).toEqual([expect.stringContaining('reads room, which areas/rooms owns')]);
  });

  it.each([
    ['sql`INSERT INTO room (uuid) VALUES (1)`'],
    ['database.query("UPDATE room SET lit = true")'],
    ['sql`DELETE FROM room`'],
    [`tables(tx).insertInto('room')`],
    [`tables(tx).updateTable('room')`],
    [`tables(tx).deleteFrom('room')`],
  ])('must not be written to, even if they may be read: %s', (text) => {
    const problems = problemsWith(`${text}; tables(tx).selectFrom('room')`, { foreignReads: [{ table: 'room' }] });
    expect(problems[0]).toContain('writes room, which areas/rooms owns');
  });

  it('may be read if the list of exceptions gives a reason', () => {
    expect(problemsWith(`selectFrom('room')`, { foreignReads: [{ table: 'room' }] })).toEqual([]);
  });

  it('may be read and written if the list of exceptions gives a reason', () => {
    const foreignWrites = [{ table: 'room' }];
    expect(problemsWith(`deleteFrom('room'); selectFrom('room')`, { foreignWrites })).toEqual([]);
  });

  it('must be removed from the list of exceptions when they are no longer written', () => {
    expect(problemsWith(`selectFrom('room')`, { foreignWrites: [{ table: 'room' }] })).toEqual([
      'tools/foreign-tables.ts: areas/lamps no longer writes room; remove the entry',
    ]);
  });

  it('must be removed from the list of exceptions when they are no longer read', () => {
    expect(problemsWith(`selectFrom('lamp')`, { foreignReads: [{ table: 'room' }] })).toEqual([
      'tools/foreign-tables.ts: areas/lamps no longer reads room; remove the entry',
    ]);
  });

  it('may be read by tests and named in comments', () => {
    expect(problemsWith('sql`SELECT FROM room`', { path: 'lamps/lamps.db.test.ts' })).toEqual([]);
    expect(problemsWith('// selected FROM room\n/* UPDATE room */')).toEqual([]);
  });

  it('that belong to the platform cannot be used by a connector, whose own tables may have the same names', () => {
    const path = 'packages/connectors/lighting/src/store.ts';
    const problemsOf = (text: string) =>
      tableProblems([lamps, rooms, file(path, text)], { tables, foreignReads: [], foreignWrites: [] });
    expect(problemsOf('sql`SELECT FROM ${schema}.room`')).toEqual([]);
    expect(problemsOf('sql`SELECT FROM room`')).toEqual([expect.stringContaining('reads room')]);
  });
});

describe('the tables in this repository', () => {
  it('are found in migrations and in the migration ledger', () => {
    expect([...platformTables(sourceFiles())]).toEqual(
      expect.arrayContaining(['migration', 'rate_limit', 'certificate', 'acme_order']),
    );
  });

  it('are classified by whether a statement reads or writes them', () => {
    const text = 'sql`UPDATE lamp SET lit = true FROM room WHERE lamp.room_uuid = room.uuid FOR UPDATE OF lamp_bulb`';
    expect(tableReferences({ text }, tables)).toEqual([
      { table: 'lamp', writes: true, statement: true },
      { table: 'room', writes: false, statement: true },
    ]);
  });
});
