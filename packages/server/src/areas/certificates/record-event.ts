// Records certificate events in the caller's transaction, both in each certificate's history and in the audit log. Both
// contain the same facts, so a single function writes them.
import type { AuditFacts, CertificateChoice, SearchFilterRequestDto } from '@signetry/contract';
import { coreActor, type RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AuditEntry, AuditTrail } from '../audit/index.ts';
import { insertHistory, type HistoryEntry } from './store-history.ts';

/** Who caused an event, and when. */
export interface EventCause {
  readonly context: RequestContext;
  readonly at: Date;
  /** Actor named in the history; default: the caller. */
  readonly by?: string;
}

export interface CertificateEvent extends Omit<AuditEntry, 'facts'> {
  readonly operation: AuditFacts['operation'];
  /** History entries of one or more certificates. */
  readonly history: readonly HistoryEntry[];
}

export async function recordEvent(
  tx: Executor,
  { audit, context, at, by = callerName(context) }: EventCause & { readonly audit: AuditTrail },
  { operation, history, ...entry }: CertificateEvent,
): Promise<void> {
  await insertHistory(tx, history, { at, by });
  await audit.append(tx, context, { ...entry, facts: auditFacts(operation) });
}

/** Returns the audit facts of an operation on certificates, regardless of the API operation that started it. */
export const auditFacts = (operation: AuditFacts['operation']): AuditFacts => ({
  module: 'certificates',
  resource: 'certificates',
  operation,
});

/** Returns the caller's name, or the platform's own name if the platform itself performs the operation. */
export const callerName = ({ actor }: RequestContext): string => actor.username ?? coreActor.username ?? 'signetry';

/** Maximum length of filters copied to the audit record; about what a user would enter. */
const MAX_DESCRIBED_FILTERS = 2_000;

/** Converts filters, and the search that they belong to, to audit record data. */
export const describeFilters = (filters: readonly SearchFilterRequestDto[]): object =>
  JSON.stringify(filters).length <= MAX_DESCRIBED_FILTERS ? { filters } : { filterCount: filters.length };

export const describeChoice = ({ filters, text, includeArchived }: CertificateChoice): object => ({
  ...(filters && describeFilters(filters)),
  ...(text && { text }),
  ...(includeArchived && { includeArchived }),
});
