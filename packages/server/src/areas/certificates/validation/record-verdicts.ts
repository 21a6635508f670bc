// Writes the verdicts about the certificates of a chain: status, link to the issuer, history, audit record and events,
// in the caller's transaction.
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { auditFacts, callerName } from '../core/record-event.ts';
import { insertHistory, type HistoryEntry } from '../core/store-history.ts';
import type { Assessed, ValidationResult } from './assess-chain.ts';
import { isUsable } from './standing.ts';
import { MISSING, TRUST } from '../core/trust.ts';
import { linkIssuer, markFoundRevoked, storeValidations, type ValidationChange } from './store.ts';

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
  const stored = await storeValidations(tx, [changeOf(assessed)], now);
  if (!stored.has(row.uuid) || from === to) return false;
  await recordChanges(tx, [assessed], facts);
  return true;
}

/**
 * The same about certificates whose issuers are known and not judged here, with as many statements for all as for one.
 * Returns how many statuses changed.
 */
export async function recordManyVerdicts(
  tx: Executor,
  assessed: readonly Assessed[],
  facts: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<number> {
  const stored = await storeValidations(tx, assessed.map(changeOf), facts.now);
  const changed = assessed.filter(
    ({ row, result }) => stored.has(row.uuid) && row.validation_status !== result.resultStatus,
  );
  await recordChanges(tx, changed, facts);
  return changed.length;
}

function changeOf({ row, result, isTrustMissing, dueAt }: Assessed): ValidationChange {
  const checks = { ...statusesOf(result), ...(isTrustMissing ? { [TRUST]: MISSING } : {}) };
  return { uuid: row.uuid, status: result.resultStatus, checks, dueAt, seen: row };
}

/** Other statuses than before; certificates that are found to be revoked get that state. */
async function recordChanges(
  tx: Executor,
  changed: readonly Assessed[],
  { parts, now, context }: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<void> {
  if (changed.length === 0) return;
  const { audit } = parts;
  const { events } = parts.platform;
  await markFoundRevoked(tx, changed.filter(isFoundRevoked).map(({ row }) => row.uuid), now); // prettier-ignore
  await insertHistory(tx, changed.flatMap(historyOf), { at: now, by: callerName(context) });
  const facts = auditFacts('checkValidation');
  await audit.insertMany(
    tx,
    changed.map(({ row, result }) =>
      audit.record(context, {
        facts,
        objects: [{ uuid: row.uuid, name: row.common_name }],
        data: { from: row.validation_status, to: result.resultStatus },
      }),
    ),
  );
  await events.appendAll(
    tx,
    'certificate_status_changed',
    changed.map(({ row, result }) => ({
      certificateUuid: row.uuid,
      from: row.validation_status,
      to: result.resultStatus,
    })),
  );
  const standing = changed.filter(
    ({ row, result }) => row.trusted_ca !== null && isUsable(row.validation_status) !== isUsable(result.resultStatus),
  );
  await events.appendAll(
    tx,
    'authority_standing_changed',
    standing.map(({ row }) => ({ certificateUuid: row.uuid })),
  );
}

const isFoundRevoked = ({ row, result }: Assessed): boolean =>
  result.resultStatus === 'revoked' && row.state === 'issued';

function historyOf(assessed: Assessed): HistoryEntry[] {
  const { row, result } = assessed;
  const entry = { certificate_uuid: row.uuid, status: 'SUCCESS' } as const;
  const additional = result.message === undefined ? null : { reason: result.message };
  const message = `${row.validation_status} -> ${result.resultStatus}`;
  return [
    ...(isFoundRevoked(assessed) ? [{ ...entry, event: 'Update State' as const, message: 'issued -> revoked' }] : []),
    { ...entry, event: 'Update Validation Status', message, additional },
  ];
}

const statusesOf = ({ validationChecks = {} }: ValidationResult): Record<string, string> =>
  Object.fromEntries(Object.values(validationChecks).map(({ validationCheck, status }) => [validationCheck, status]));

const isFresh = ({ validated_at: at }: Assessed['row'], now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() < REFRESH_ISSUER_MS;
