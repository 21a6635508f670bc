// Each database table has one owner, which says so in the line `Owns:` of its index.ts. Others read it, or write it,
// only where tools/foreign-tables.ts says why.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOREIGN_READS, FOREIGN_WRITES, type ForeignUse } from './foreign-tables.ts';
import { filesBelow, isTest, ROOT, type SourceFile } from './source-files.ts';
import { createdTables, tableReferences } from './table-references.ts';

const SERVER = 'packages/server/src/';

/** Tables of the platform: what its migrations create. Connectors keep theirs in schemas of their own. */
export const platformTables = (files: readonly SourceFile[]): ReadonlySet<string> => {
  const migrations = filesBelow(`${SERVER}platform`, (path) => path.endsWith('.sql'));
  const texts = migrations.map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const programs = files.filter(({ path }) => path.startsWith(SERVER) && !isTest(path));
  return new Set([...texts, ...programs.map(({ text }) => text)].flatMap(createdTables));
};

export interface TableFacts {
  readonly tables: ReadonlySet<string>;
  readonly foreignReads?: readonly ForeignUse[];
  readonly foreignWrites?: readonly ForeignUse[];
}

export function tableProblems(
  files: readonly SourceFile[],
  { tables, foreignReads = FOREIGN_READS, foreignWrites = FOREIGN_WRITES }: TableFacts,
): string[] {
  const programs = files.filter(({ path }) => !isTest(path));
  const owners = new Map<string, string>();
  return [
    ...ownerProblems(programs, { tables, owners }),
    ...connectorProblems(programs),
    ...referenceProblems(programs, { tables, owners, foreignReads, foreignWrites }),
  ];
}

/** `areas/groups`, `protocols/acme`, `platform/events`, `app`; undefined for what owns nothing. */
function placeOf(path: string): string | undefined {
  const [layer = '', folder = ''] = path.startsWith(SERVER) ? path.slice(SERVER.length).split('/') : [];
  if (layer === 'app') return layer;
  return ['areas', 'protocols', 'platform'].includes(layer) ? `${layer}/${folder}` : undefined;
}

/** What the line `Owns:` at the head of a file lists; undefined when there is no such line. */
function ownedBy({ text }: SourceFile): string[] | undefined {
  const head = /^(?:\/\/.*\n?)*/.exec(text)?.[0].replace(/\n\/\/ ?/g, ' ') ?? '';
  const list = /\bOwns: ([^.;]*)[.;]/.exec(head)?.[1];
  return list === 'no table' ? [] : list?.split(/,\s*/);
}

/** Fills `owners`: table -> place. */
function ownerProblems(
  files: readonly SourceFile[],
  { tables, owners }: { readonly tables: ReadonlySet<string>; readonly owners: Map<string, string> },
): string[] {
  const problems: string[] = [];
  for (const file of files) {
    const place = placeOf(file.path);
    if (place === undefined) continue;
    const owned = ownedBy(file);
    if (!owned && file.path === `${SERVER}${place}/index.ts`)
      problems.push(
        `${file.path}: says in no line "Owns:" which tables are its own; where none are: "Owns: no table."`,
      );
    for (const table of owned ?? []) {
      const other = owners.get(table);
      if (!tables.has(table)) problems.push(`${file.path}: owns ${table}, which no migration creates`);
      else if (other !== undefined) problems.push(`${file.path}: owns ${table}, which ${other} owns`);
      else owners.set(table, place);
    }
  }
  const ownerless = [...tables].filter((table) => !owners.has(table));
  return [...problems, ...ownerless.map((table) => `table ${table}: is in nobody's line "Owns:"`)];
}

/** A connector owns what the migrations of its own schema create. */
function connectorProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const folder = /^packages\/connectors\/[\w-]+\/src\/(?=index\.ts$)/.exec(file.path)?.[0];
    if (folder === undefined) return [];
    const created = files.filter(({ path }) => path.startsWith(folder)).flatMap(({ text }) => createdTables(text));
    const owned = ownedBy(file) ?? [];
    return [...new Set(created).symmetricDifference(new Set(owned))].map(
      (table) => `${file.path}: the line "Owns:" and the migrations differ in ${table}`,
    );
  });
}

interface ReferenceFacts {
  readonly tables: ReadonlySet<string>;
  readonly owners: ReadonlyMap<string, string>;
  readonly foreignReads: readonly ForeignUse[];
  readonly foreignWrites: readonly ForeignUse[];
}

function referenceProblems(files: readonly SourceFile[], facts: ReferenceFacts): string[] {
  const { tables, owners, foreignReads, foreignWrites } = facts;
  const problems: string[] = [];
  const reads = new Set<ForeignUse>();
  const writesUsed = new Set<ForeignUse>();
  for (const file of files) {
    const connector = /^packages\/(connectors\/[\w-]+)\//.exec(file.path)?.[1];
    const place = placeOf(file.path) ?? connector;
    if (place === undefined) continue;
    for (const { table, writes, statement } of tableReferences(file, tables)) {
      const owner = owners.get(table);
      if (owner === undefined || owner === place) continue;
      // Statements of a connector name its schema too, and its sealed columns are in that schema.
      if (connector !== undefined && !statement) continue;
      const isThis = (use: ForeignUse): boolean => use.from === place && use.table === table;
      const writable = foreignWrites.find(isThis);
      if (writes && writable) writesUsed.add(writable);
      if (writable) continue;
      const readable = foreignReads.find(isThis);
      if (!writes && readable) reads.add(readable);
      else problems.push(`${file.path}: ${refusalOf({ writes, table, owner })}`);
    }
  }
  const unread = foreignReads.filter((use) => !reads.has(use));
  const unwritten = foreignWrites.filter((use) => !writesUsed.has(use));
  return [
    ...problems,
    ...unread.map(({ from, table }) => `tools/foreign-tables.ts: ${from} does not read ${table} any more`),
    ...unwritten.map(({ from, table }) => `tools/foreign-tables.ts: ${from} does not write ${table} any more`),
  ];
}

const refusalOf = (use: { readonly writes: boolean; readonly table: string; readonly owner: string }): string =>
  use.writes
    ? `writes ${use.table}, which ${use.owner} owns; call the owner, or let it register`
    : `reads ${use.table}, which ${use.owner} owns; call the owner, or list the read with its reason in tools/foreign-tables.ts`;
