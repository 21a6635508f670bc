// Audit log use cases: search, export, purge and verification.
import type {
  AuditLogResponseDto,
  SearchFieldDataByGroupDto,
  SearchFilterRequestDto,
  SearchRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readFilters, readSearch } from '../../kernel/filter/read-filters.ts';
import { pageFacts } from '../../kernel/page.ts';
import { runAsWork } from '../../platform/database/query-limits.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditKey } from './store-key.ts';
import { parseHead, type SentHead } from './chain-head.ts';
import { exportAsArchive, exportAsLines, type AuditExport, type AuditExporter } from './export-audit-log.ts';
import type { AuditReport } from './findings.ts';
import { presentAuditRecord } from './present.ts';
import { purgeAuditLog } from './purge-audit-log.ts';
import type { AuditSealer } from './sealer.ts';
import { auditFields } from './search-fields.ts';
import * as store from './store.ts';
import type { AuditTrail } from './trail.ts';
import { verifyAudit } from './verify-audit.ts';

/** Maximum length of filters copied to the audit record; about what a user would enter. */
const MAX_DESCRIBED_FILTERS = 2_000;

export type AuditService = ReturnType<typeof createAuditService>;

export function createAuditService(
  platform: Platform,
  parts: { readonly trail: AuditTrail; readonly sealer: AuditSealer; readonly key: AuditKey },
) {
  const { database, clock } = platform;
  const readOptions = () => ({ lookup: auditFields.lookup, now: clock.now() });
  let verification: Promise<AuditReport> | undefined;

  async function list(request: SearchRequestDto): Promise<AuditLogResponseDto> {
    const { page, conditions } = readSearch(request, readOptions());
    const found = await runSearch({ database, conditions }, (executor) =>
      store.findPage(executor, { conditions, page }),
    );
    return { ...pageFacts(page, found.totalItems), items: found.items.map(presentAuditRecord) };
  }

  const searchFields = (): SearchFieldDataByGroupDto[] =>
    presentSearchFields('auditLogs', { fields: auditFields.fields });

  async function runExport<Result extends AuditExport | undefined>(
    exporter: AuditExporter<Result>,
    { filters, context }: { readonly filters: readonly SearchFilterRequestDto[]; readonly context: RequestContext },
  ): Promise<Result> {
    const conditions = readFilters(filters, readOptions());
    const result = await exporter(database, { conditions, now: clock.now() });
    await parts.trail.append(database.executor, context, { data: { ...describe(filters), file: result?.fileName } });
    return result;
  }

  /** Returns a ZIP archive with a CSV file, or undefined if no record matches. */
  const exportArchive = (filters: readonly SearchFilterRequestDto[], context: RequestContext) =>
    runExport(exportAsArchive, { filters, context });

  const exportLines = (filters: readonly SearchFilterRequestDto[], context: RequestContext) =>
    runExport(exportAsLines, { filters, context });

  async function purge(filters: readonly SearchFilterRequestDto[], context: RequestContext): Promise<number> {
    const conditions = readFilters(filters, readOptions());
    return runAsWork('long', () =>
      purgeAuditLog({ platform, ...parts }, { conditions, context, description: describe(filters) }),
    );
  }

  /** Reads the whole trail, so concurrent callers share one report. */
  function verify(): Promise<AuditReport> {
    verification ??= runVerification([]).finally(() => {
      verification = undefined;
    });
    return verification;
  }

  /** Also verifies externally stored heads; rejects malformed ones. */
  async function verifyWithHeads(texts: readonly string[]): Promise<AuditReport> {
    const ends = texts.map((text) => {
      const end = parseHead(text);
      if (!end) throw rejected(`${text.slice(0, 100)} is not an audit chain head.`);
      return end;
    });
    return ends.length === 0 ? verify() : runVerification(ends);
  }

  const runVerification = (ends: readonly SentHead[]): Promise<AuditReport> => runAsWork('long', () => readTrail(ends));

  async function readTrail(ends: readonly SentHead[]): Promise<AuditReport> {
    const key = await parts.key();
    // If the whole platform was stopped, verification can start before the first sealing.
    await parts.sealer.seal();
    const options = { key, now: clock.now(), remembered: parts.sealer.remembered, ends };
    const report = await verifyAudit(database.executor, options);
    if (!report.intact) platform.log.error({ report }, 'the audit trail is not intact');
    return report;
  }

  return { list, searchFields, exportArchive, exportLines, purge, verify, verifyWithHeads };
}

const describe = (filters: readonly SearchFilterRequestDto[]): object =>
  JSON.stringify(filters).length <= MAX_DESCRIBED_FILTERS ? { filters } : { filterCount: filters.length };
