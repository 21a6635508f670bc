// Writes the verdicts about the certificates of a chain: status, link to the issuer, history, audit record and events,
// in the caller's transaction.
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { recordEvent } from '../core/record-event.ts';
import { markRevoked } from '../core/store.ts';
import type { HistoryEntry } from '../core/store-history.ts';
import type { Assessed, ValidationResult } from './assess-chain.ts';
import { isUsable } from './standing.ts';
import { MISSING, TRUST } from '../core/trust.ts';
import { linkIssuer, storeValidation } from './store.ts';

/** Issuers are part of every chain below them; an unchanged verdict about them is not written more often than this. */
const REFRESH_ISSUER_MS = 10 * 60_000;

export interface VerdictParts {
  readonly platform: Pick<Platform, 'events'>;
  readonly audit: AuditTrail;
}

export interface VerdictOccasion {
  readonly now: Date;
  readonly context: RequestContext;
}

/** Returns whether a status changed. */
export async function recordVerdicts(
  tx: Executor,
  chain: readonly Assessed[],
  facts: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<boolean> {
  let changed = false;
  // One order for everybody: two chains that share issuers must not wait for each other.
  for (const assessed of chain.toSorted((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1)))
    changed = (await recordVerdict(tx, assessed, { ...facts, isTarget: assessed === chain[0] })) || changed;
  return changed;
}

async function recordVerdict(
  tx: Executor,
  assessed: Assessed,
  facts: VerdictOccasion & { readonly parts: VerdictParts; readonly isTarget: boolean },
): Promise<boolean> {
  const { row, result, issuer } = assessed;
  const { isTarget, now } = facts;
  const [from, to] = [row.validation_status, result.resultStatus];
  if (issuer && row.issuer_certificate_uuid !== issuer.uuid) await linkIssuer(tx, row.uuid, { ...issuer, at: now });
  if (from === to && !isTarget && isFresh(row, now)) return false;
  const checks = { ...statusesOf(result), ...(assessed.isTrustMissing ? { [TRUST]: MISSING } : {}) };
  const isStored = await storeValidation(tx, row.uuid, {
    status: to,
    checks,
    at: now,
    dueAt: assessed.dueAt,
    seen: row,
  });
  if (!isStored || from === to) return false;
  await recordChange(tx, assessed, facts);
  return true;
}

/** Another status than before; a certificate that is found to be revoked gets that state. */
async function recordChange(
  tx: Executor,
  { row, result }: Assessed,
  { parts, now, context }: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<void> {
  const { uuid } = row;
  const [from, to] = [row.validation_status, result.resultStatus];
  const history: HistoryEntry[] = [];
  const entry = { certificate_uuid: uuid, status: 'SUCCESS' } as const;
  if (to === 'revoked' && row.state === 'issued') {
    await markRevoked(tx, uuid, { reason: 'unspecified', at: now });
    history.push({ ...entry, event: 'Update State', message: 'issued -> revoked' });
  }
  const additional = result.message === undefined ? null : { reason: result.message };
  history.push({ ...entry, event: 'Update Validation Status', message: `${from} -> ${to}`, additional });
  const occasion = { audit: parts.audit, context, at: now };
  await recordEvent(tx, occasion, {
    operation: 'checkValidation',
    history,
    objects: [{ uuid, name: row.common_name }],
    data: { from, to },
  });
  const { events } = parts.platform;
  await events.append(tx, 'certificate_status_changed', { certificateUuid: uuid, from, to });
  if (row.trusted_ca !== null && isUsable(from) !== isUsable(to))
    await events.append(tx, 'authority_standing_changed', { certificateUuid: uuid });
}

const statusesOf = ({ validationChecks = {} }: ValidationResult): Record<string, string> =>
  Object.fromEntries(Object.values(validationChecks).map(({ validationCheck, status }) => [validationCheck, status]));

const isFresh = ({ validated_at: at }: Assessed['row'], now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() < REFRESH_ISSUER_MS;
