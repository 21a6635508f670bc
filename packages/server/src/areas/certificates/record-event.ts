// What happened to certificates, written with the caller's transaction: their histories for those who look at a
// certificate, the audit trail for those who look at the platform. Both say the same, so one function writes them.
import type { AuditFacts } from '@signetry/contract';
import { coreActor, type RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AuditEntry, AuditTrail } from '../audit/index.ts';
import { insertHistory, type HistoryEntry } from './store-history.ts';

/** Who acted, and when. */
export interface Occasion {
  readonly context: RequestContext;
  readonly at: Date;
  /** Whom the histories name; the caller when absent. */
  readonly by?: string;
}

export interface CertificateEvent extends Omit<AuditEntry, 'facts'> {
  readonly operation: AuditFacts['operation'];
  /** Entries of one certificate or of several. */
  readonly history: readonly HistoryEntry[];
}

export async function recordEvent(
  tx: Executor,
  { audit, context, at, by = callerName(context) }: Occasion & { readonly audit: AuditTrail },
  { operation, history, ...entry }: CertificateEvent,
): Promise<void> {
  await insertHistory(tx, history, { at, by });
  await audit.append(tx, context, { ...entry, facts: auditFacts(operation) });
}

/** The facts of what is done to certificates, whichever operation of the interface began it. */
export const auditFacts = (operation: AuditFacts['operation']): AuditFacts => ({
  module: 'certificates',
  resource: 'certificates',
  operation,
});

/** What the platform does by itself is done in its own name. */
export const callerName = ({ actor }: RequestContext): string => actor.username ?? coreActor.username ?? 'signetry';
