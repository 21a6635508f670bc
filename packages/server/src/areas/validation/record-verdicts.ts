// Stores the verdicts about the certificates in a chain: status, link to the issuer, history, audit record and events,
// in the caller's transaction.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import {
  auditFacts,
  callerName,
  insertHistory,
  TRUST_CHECK,
  TRUST_MISSING,
  type HistoryEntry,
} from '../certificates/index.ts';
import type { AssessedRow, ValidationResult } from './assess-chain.ts';
import { isUsable } from './standing.ts';
import { isRestated, isStatedExternally } from './stated-revocation.ts';
import {
  linkIssuer,
  markFoundReleased,
  markFoundRevoked,
  storeValidations,
  type FoundRevocation,
  type ValidationChange,
} from './store.ts';

/** Minimum interval between writes of an unchanged verdict about an issuer, which occurs in every chain below it. */
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
  chain: readonly AssessedRow[],
  facts: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<boolean> {
  let changed = false;
  // A fixed lock order: two chains with common issuers must not deadlock.
  for (const assessed of chain.toSorted((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1)))
    changed = (await recordVerdict(tx, assessed, { ...facts, isTarget: assessed === chain[0] })) || changed;
  return changed;
}

async function recordVerdict(
  tx: Executor,
  assessed: AssessedRow,
  facts: VerdictOccasion & { readonly parts: VerdictParts; readonly isTarget: boolean },
): Promise<boolean> {
  const { row, issuer } = assessed;
  const { isTarget, now } = facts;
  if (issuer && row.issuer_certificate_uuid !== issuer.uuid) await linkIssuer(tx, row.uuid, { ...issuer, at: now });
  if (!isOther(assessed) && !isTarget && isFresh(row, now)) return false;
  const stored = await storeValidations(tx, [changeOf(assessed)], now);
  if (!stored.has(row.uuid) || !isOther(assessed)) return false;
  await recordChanges(tx, [assessed], facts);
  return true;
}

/**
 * Stores verdicts about certificates whose issuers are known and not judged here, using as many statements as for a
 * single certificate. Returns the number of changed statuses.
 */
export async function recordManyVerdicts(
  tx: Executor,
  assessed: readonly AssessedRow[],
  facts: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<number> {
  const stored = await storeValidations(tx, assessed.map(changeOf), facts.now);
  const changed = assessed.filter((each) => stored.has(each.row.uuid) && isOther(each));
  await recordChanges(tx, changed, facts);
  return changed.length;
}

function changeOf({ row, result, isTrustMissing, dueAt }: AssessedRow): ValidationChange {
  const checks = { ...statusesOf(result), ...(isTrustMissing ? { [TRUST_CHECK]: TRUST_MISSING } : {}) };
  return { uuid: row.uuid, status: result.resultStatus, checks, dueAt, seen: row };
}

/** Whether the status or the revocation data changed. */
const isOther = (assessed: AssessedRow): boolean =>
  hasOtherStatus(assessed) || isRestated(assessed.row, assessed.stated);

const hasOtherStatus = ({ row, result }: AssessedRow): boolean => row.validation_status !== result.resultStatus;

/** Records changed statuses and revocations; the state follows external revocation information. */
async function recordChanges(
  tx: Executor,
  others: readonly AssessedRow[],
  { parts, now, context }: VerdictOccasion & { readonly parts: VerdictParts },
): Promise<void> {
  if (others.length === 0) return;
  const { audit } = parts;
  const { events } = parts.platform;
  const stated = others.filter((each) => isFoundRevoked(each) || isRestated(each.row, each.stated));
  const released = others.filter(isReleased).map(({ row }) => row.uuid);
  await markFoundRevoked(
    tx,
    stated.map((each) => foundOf(each, now)),
    now,
  );
  await markFoundReleased(tx, released, now);
  await insertHistory(tx, others.flatMap(historyOf), { at: now, by: callerName(context) });
  const changed = others.filter(hasOtherStatus);
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

const isFoundRevoked = ({ row, result }: AssessedRow): boolean =>
  result.resultStatus === 'revoked' && row.state === 'issued';

const isReleased = ({ row, result }: AssessedRow): boolean =>
  isStatedExternally(row) && (result.resultStatus === 'valid' || result.resultStatus === 'expiring');

const foundOf = ({ row, stated }: AssessedRow, now: Date): FoundRevocation => ({
  uuid: row.uuid,
  ...(stated ?? { revokedAt: now, reason: 'unspecified', source: 'unknown', statedAt: now }),
});

/** Returns the state change and its reason, if the state changes. */
function stateChangeOf(assessed: AssessedRow): { readonly message: string; readonly reason: string } | undefined {
  const { row, stated } = assessed;
  if (isReleased(assessed))
    return {
      message: 'revoked -> issued',
      reason: `No longer revoked. It was revoked with reason ${row.revocation_reason}, stated by ${row.revocation_source}.`,
    };
  const reason = stated
    ? `Revoked on ${stated.revokedAt.toISOString()} with reason ${stated.reason}, stated by ${stated.source}.`
    : 'Validation found that the certificate is revoked.';
  if (isFoundRevoked(assessed)) return { message: 'issued -> revoked', reason };
  return isRestated(row, stated) ? { message: 'The issuer changed the revocation', reason } : undefined;
}

function historyOf(assessed: AssessedRow): HistoryEntry[] {
  const { row, result } = assessed;
  const entry = { certificate_uuid: row.uuid, status: 'SUCCESS' } as const;
  const additional = result.message === undefined ? null : { reason: result.message };
  const message = `${row.validation_status} -> ${result.resultStatus}`;
  const state = stateChangeOf(assessed);
  return [
    ...(state
      ? [{ ...entry, event: 'Update State' as const, message: state.message, additional: { reason: state.reason } }]
      : []),
    ...(hasOtherStatus(assessed)
      ? [{ ...entry, event: 'Update Validation Status' as const, message, additional }]
      : []),
  ];
}

const statusesOf = ({ validationChecks = {} }: ValidationResult): Record<string, string> =>
  Object.fromEntries(Object.values(validationChecks).map(({ validationCheck, status }) => [validationCheck, status]));

const isFresh = ({ validated_at: at }: AssessedRow['row'], now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() < REFRESH_ISSUER_MS;
