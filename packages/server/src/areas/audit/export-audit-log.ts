// Exports audit records as a ZIP archive with one CSV file, or as JSON lines. Reads page by page while sending.
import { Readable } from 'node:stream';
import type { Database } from '../../platform/database/database.ts';
import type { SqlCondition } from '../../platform/database/filter/compile.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import { csvHeader, csvLine } from './csv.ts';
import { presentAuditRecord } from './present.ts';
import { findBefore, type AuditRow } from './store.ts';
import { zipArchive } from './zip-archive.ts';

const ROWS_PER_PAGE = 1_000;

export interface AuditExport {
  readonly fileName: string;
  readonly file: Readable;
}

interface Export {
  readonly conditions: readonly SqlCondition[];
  readonly now: Date;
}

export type AuditExporter<Result> = (database: Database, request: Export) => Promise<Result>;

/** Returns undefined if no record matches. */
export const exportAsArchive: AuditExporter<AuditExport | undefined> = async (database, request) => {
  const pages = await openPages(database, request);
  if (pages.first.length === 0) return undefined;
  const baseName = baseNameOf(request);
  const contents = textOf(pages, { header: csvHeader, line: csvLine });
  const file = zipArchive({ name: `${baseName}.csv`, modified: request.now, contents });
  return { fileName: `${baseName}.zip`, file };
};

export const exportAsLines: AuditExporter<AuditExport> = async (database, request) => {
  const pages = await openPages(database, request);
  const contents = textOf(pages, { header: '', line: (row) => `${JSON.stringify(presentAuditRecord(row))}\n` });
  return { fileName: `${baseNameOf(request)}.jsonl`, file: Readable.from(contents, { objectMode: false }) };
};

const baseNameOf = ({ now }: Export): string => `audit-logs_${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;

interface Pages {
  readonly first: readonly AuditRow[];
  readonly after: (last: AuditRow | undefined) => Promise<readonly AuditRow[]>;
}

/** Reads the first page before anything is sent, so that malformed filters are rejected. */
async function openPages(database: Database, { conditions }: Export): Promise<Pages> {
  const readPage = (before?: number) =>
    runSearch({ database, conditions }, (executor) =>
      findBefore(executor, { conditions, before, limit: ROWS_PER_PAGE }),
    );
  return { first: await readPage(), after: (last) => readPage(last?.id) };
}

async function* textOf(
  { first, after }: Pages,
  { header, line }: { readonly header: string; readonly line: (row: AuditRow) => string },
) {
  if (header) yield Buffer.from(header);
  let page = first;
  while (page.length > 0) {
    yield Buffer.from(page.map(line).join(''));
    page = page.length < ROWS_PER_PAGE ? [] : await after(page.at(-1));
  }
}
