// Exports audit records as a ZIP archive that holds one CSV file. Reads page by page while the archive is sent.
import type { Readable } from 'node:stream';
import type { Database } from '../../platform/database/database.ts';
import type { SqlCondition } from '../../platform/database/filter/compile.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import { csvHeader, csvLine } from './csv.ts';
import { findBefore, type AuditRow } from './store.ts';
import { zipArchive } from './zip-archive.ts';

const ROWS_PER_PAGE = 1_000;

export interface AuditExport {
  readonly fileName: string;
  readonly archive: Readable;
}

/** Returns `undefined` when no record matches. Bad filters are refused before anything was sent. */
export async function exportAuditLog(
  database: Database,
  { conditions, now }: { readonly conditions: readonly SqlCondition[]; readonly now: Date },
): Promise<AuditExport | undefined> {
  const readPage = (before?: number) =>
    runSearch({ database, conditions }, (executor) =>
      findBefore(executor, { conditions, before, limit: ROWS_PER_PAGE }),
    );
  const first = await readPage();
  if (first.length === 0) return undefined;

  async function* lines() {
    yield Buffer.from(csvHeader);
    let page: readonly AuditRow[] = first;
    while (page.length > 0) {
      yield Buffer.from(page.map(csvLine).join(''));
      page = page.length < ROWS_PER_PAGE ? [] : await readPage(page.at(-1)?.id);
    }
  }
  const baseName = `audit-logs_${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const archive = zipArchive({ name: `${baseName}.csv`, modified: now, contents: lines() });
  return { fileName: `${baseName}.zip`, archive };
}
