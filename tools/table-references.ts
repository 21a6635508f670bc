// Finds the database tables named in a source file, in SQL text and in query builder calls. Dynamically constructed
// names are not found.
import type { SourceFile } from './source-files.ts';

/** Whether the file contains or runs an SQL statement. */
export const hasStatement = ({ text }: Pick<SourceFile, 'text'>): boolean =>
  /\bsql(?:<[^`(]*>)?`|\.query[<(]|\bhotStatement\(|\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\('/.test(
    codeOf(text),
  );

const codeOf = (text: string): string => text.replace(/^\s*\/\*.*?\*\//gms, '').replace(/^\s*\/\/.*$/gm, '');

export interface TableReference {
  readonly table: string;
  readonly writes: boolean;
  /**
   * Whether the table is named in a statement; otherwise its name is passed to code that builds one, e.g. for a sealed
   * column.
   */
  readonly statement: boolean;
}

const CREATED = /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(?:\$\{\w+\}\.)?(\w+) ?\(/g;

const RENAMED = /\bALTER TABLE (\w+) RENAME TO (\w+)/g;

/** Returns the tables that a migration creates, by their final names. */
export function createdTables(text: string): string[] {
  const later = new Map([...text.matchAll(RENAMED)].map(([, before = '', name = '']) => [before, name]));
  return [...text.matchAll(CREATED)].map(([, name = '']) => later.get(name) ?? name);
}

/** A table with its alias, which is in lowercase while keywords are not. */
const ITEM = String.raw`(?:ONLY\s+)?\w+(?:\s+(?:AS\s+)?[a-z_]\w*)?`;
const SQL_READ = new RegExp(String.raw`\b(?:FROM|JOIN|USING|TABLE)\s+(${ITEM}(?:\s*,\s*${ITEM})*)`, 'g');
/** A fragment of a statement that begins with its tables. */
const SQL_PART = /\bsql(?:<[^`(]*>)?`\s*(\w+)/g;
const SQL_WRITE = /\b(?:INSERT\s+INTO|MERGE\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE)\s+(?:ONLY\s+)?(\w+)/g;
const BUILDER_READ = /\b(?:selectFrom|from|using|\w*[jJ]oin(?:Lateral)?)\(\s*\[?\s*'(\w+)(?: as \w+)?'/g;
const BUILDER_WRITE = /\b(?:insertInto|replaceInto|mergeInto|updateTable|deleteFrom)\(\s*'(\w+)(?: as \w+)?'/g;
const NAMED = /\b(?:table|tableName): '(\w+)'|'(\w+_\w+)'/g;

/** Returns references to these tables, without duplicates. */
export function tableReferences({ text }: Pick<SourceFile, 'text'>, tables: ReadonlySet<string>): TableReference[] {
  const code = codeOf(text);
  const found = new Map<string, TableReference>();
  const add = (pattern: RegExp, facts: Omit<TableReference, 'table'>) => {
    for (const [, ...groups] of code.matchAll(pattern))
      for (const item of groups.join(' ').split(',')) {
        const table = /^\s*(?:ONLY\s+)?(\w+)/.exec(item)?.[1] ?? '';
        const before = found.get(table);
        if (tables.has(table))
          found.set(table, {
            table,
            writes: facts.writes || before?.writes === true,
            statement: facts.statement || before?.statement === true,
          });
      }
  };
  add(SQL_WRITE, { writes: true, statement: true });
  add(BUILDER_WRITE, { writes: true, statement: true });
  add(SQL_READ, { writes: false, statement: true });
  add(SQL_PART, { writes: false, statement: true });
  add(BUILDER_READ, { writes: false, statement: true });
  add(NAMED, { writes: false, statement: false });
  return [...found.values()];
}
