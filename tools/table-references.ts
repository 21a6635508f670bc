// Finds the database tables that a source file names: in the text of SQL and in the calls of the query builder. Names
// that a program puts together are not seen.
import type { SourceFile } from './source-files.ts';

/** Does the file have a statement of SQL, or run one? */
export const hasStatement = ({ text }: Pick<SourceFile, 'text'>): boolean =>
  /\bsql(?:<[^`(]*>)?`|\.query[<(]|\bhotStatement\(|\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\('/.test(
    codeOf(text),
  );

const codeOf = (text: string): string => text.replace(/^\s*\/\*.*?\*\//gms, '').replace(/^\s*\/\/.*$/gm, '');

export interface TableReference {
  readonly table: string;
  readonly writes: boolean;
  /** In a statement; otherwise the name is handed to something that makes one, e.g. as the table of a sealed column. */
  readonly statement: boolean;
}

const CREATED = /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(?:\$\{\w+\}\.)?(\w+) ?\(/g;

const RENAMED = /\bALTER TABLE (\w+) RENAME TO (\w+)/g;

/** Tables that a migration creates, by the names that it leaves them with. */
export function createdTables(text: string): string[] {
  const later = new Map([...text.matchAll(RENAMED)].map(([, before = '', name = '']) => [before, name]));
  return [...text.matchAll(CREATED)].map(([, name = '']) => later.get(name) ?? name);
}

/** A table with its alias, which is in lower case where keywords are not. */
const ITEM = String.raw`(?:ONLY\s+)?\w+(?:\s+(?:AS\s+)?[a-z_]\w*)?`;
const SQL_READ = new RegExp(String.raw`\b(?:FROM|JOIN|USING|TABLE)\s+(${ITEM}(?:\s*,\s*${ITEM})*)`, 'g');
/** A part of a statement that begins with its tables. */
const SQL_PART = /\bsql(?:<[^`(]*>)?`\s*(\w+)/g;
const SQL_WRITE = /\b(?:INSERT\s+INTO|MERGE\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE)\s+(?:ONLY\s+)?(\w+)/g;
const BUILDER_READ = /\b(?:selectFrom|from|using|\w*[jJ]oin(?:Lateral)?)\(\s*\[?\s*'(\w+)(?: as \w+)?'/g;
const BUILDER_WRITE = /\b(?:insertInto|replaceInto|mergeInto|updateTable|deleteFrom)\(\s*'(\w+)(?: as \w+)?'/g;
const NAMED = /\b(?:table|tableName): '(\w+)'|'(\w+_\w+)'/g;

/** References to these tables, each once. */
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
