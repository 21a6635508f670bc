// Each database table has one owner, declared in the `Owns:` line of its index.ts. Other areas read or write it only if
// tools/foreign-tables.ts gives a reason.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOREIGN_READS, FOREIGN_WRITES, type ForeignUse } from './foreign-tables.ts';
import { filesBelow, isTest, ROOT, type SourceFile } from './source-files.ts';
import { createdTables, tableReferences } from './table-references.ts';

const SERVER = 'packages/server/src/';

/** Platform tables: all that its migrations create. Connectors have tables in their own schemas. */
export const platformTables = (files: readonly SourceFile[]): ReadonlySet<string> => {
  const migrations = filesBelow(`${SERVER}platform`, (path) => path.endsWith('.sql'));
  const texts = migrations.map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const programs = files.filter(({ path }) => path.startsWith(SERVER) && !isTest(path));
  // In one text, because a later migration can rename a table.
  return new Set([texts.join('\n'), ...programs.map(({ text }) => text)].flatMap(createdTables));
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

/** Returns `areas/groups`, `protocols/acme`, `platform/events` or `app`; undefined for files that cannot own tables. */
function placeOf(path: string): string | undefined {
  const [layer = '', folder = ''] = path.startsWith(SERVER) ? path.slice(SERVER.length).split('/') : [];
  if (layer === 'app') return layer;
  return ['areas', 'protocols', 'platform'].includes(layer) ? `${layer}/${folder}` : undefined;
}

/** Returns the tables in the `Owns:` line of a file's header, or undefined if there is no such line. */
function ownedBy({ text }: SourceFile): string[] | undefined {
  const head = /^(?:\/\/.*\n?)*/.exec(text)?.[0].replace(/\n\/\/ ?/g, ' ') ?? '';
  const list = /\bOwns: ([^.;]*)[.;]/.exec(head)?.[1];
  return list === 'no table' ? [] : list?.split(/,\s*/);
}

/** Returns problems, and fills `owners`: table -> owner. */
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
      problems.push(`${file.path}: has no "Owns:" line with its tables; if it has none, write "Owns: no table."`);
    for (const table of owned ?? []) {
      const other = owners.get(table);
      if (!tables.has(table)) problems.push(`${file.path}: owns ${table}, which is not created by a migration`);
      else if (other !== undefined) problems.push(`${file.path}: owns ${table}, which ${other} also owns`);
      else owners.set(table, place);
    }
  }
  const ownerless = [...tables].filter((table) => !owners.has(table));
  return [...problems, ...ownerless.map((table) => `table ${table}: has no owner; add it to an "Owns:" line`)];
}

/** A connector owns all tables that the migrations of its schema create. */
function connectorProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const folder = /^packages\/connectors\/[\w-]+\/src\/(?=index\.ts$)/.exec(file.path)?.[0];
    if (folder === undefined) return [];
    const created = files.filter(({ path }) => path.startsWith(folder)).flatMap(({ text }) => createdTables(text));
    const owned = ownedBy(file) ?? [];
    return [...new Set(created).symmetricDifference(new Set(owned))].map(
      (table) => `${file.path}: the "Owns:" line and the migrations differ in ${table}`,
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
      // Connector statements qualify tables with the connector's schema, and its sealed columns are also in that
      // schema.
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
    ...unread.map(({ from, table }) => `tools/foreign-tables.ts: ${from} no longer reads ${table}; remove the entry`),
    ...unwritten.map(
      ({ from, table }) => `tools/foreign-tables.ts: ${from} no longer writes ${table}; remove the entry`,
    ),
  ];
}

const refusalOf = (use: { readonly writes: boolean; readonly table: string; readonly owner: string }): string =>
  use.writes
    ? `writes ${use.table}, which ${use.owner} owns; call the owner, or use a registry of the owner`
    : `reads ${use.table}, which ${use.owner} owns; call the owner, or add the read and its reason to tools/foreign-tables.ts`;
