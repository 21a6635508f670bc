// Frequently executed statements for authorizations and their challenges. They rely on the primary key of
// acme_authorization; the sweep relies on acme_authorization_processing.
import { auditInsertCte, withRecord, type AuditRecord } from '../../../areas/audit/index.ts';
import { hotStatement, runHot, type Database, type HotExecutor } from '../../../platform/database/database.ts';
import { guardStatement, matchedRow, type Guarded } from '../requests/store-guard.ts';
import { leaseTakeoverValues, type LeaseTakeover } from '../model/store-leases.ts';
import type { StoredProblem } from '../model/vocabulary.ts';

/** Data for presenting and validating an authorization. */
export interface AuthorizationView {
  readonly uuid: string;
  readonly order_uuid: string;
  readonly identifier_type: 'dns' | 'ip';
  /** Without the wildcard prefix `*.`. */
  readonly identifier_value: string;
  readonly wildcard: boolean;
  readonly status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'revoked';
  readonly token: string;
  readonly challenge_type: string | null;
  readonly challenge_status: 'processing' | 'valid' | 'invalid' | null;
  readonly error: StoredProblem | null;
  readonly validated_at: Date | null;
  readonly expires_at: Date;
}

const VIEW = `z.uuid, z.order_uuid, z.identifier_type, z.identifier_value, z.wildcard, z.status, z.token, z.challenge_type,
  z.challenge_status, z.error, z.validated_at, z.expires_at`;

/** Guarded statements for authorizations. */
export interface AuthorizationStatements {
  /** Returns the account's authorization, or undefined. */
  readonly read: Guarded<{ readonly uuid: string }, AuthorizationView | undefined>;
  /**
   * Deactivates an authorization and invalidates the orders that depend on it (RFC 8555 §7.5.2); returns undefined if
   * it cannot be deactivated.
   */
  readonly deactivate: Guarded<AuthorizationToEnd, AuthorizationView | undefined>;
  /** Records the result of a challenge, as `decideChallenges` does. */
  readonly decide: Guarded<ChallengeResult, AuthorizationView | undefined>;
}

export interface AuthorizationToEnd {
  readonly uuid: string;
  readonly orderError: StoredProblem;
  readonly audit: AuditRecord;
}

export function createAuthorizationStatements({
  hot,
  relaxed,
}: Pick<Database, 'hot' | 'relaxed'>): AuthorizationStatements {
  const read = guardStatement<object, AuthorizationView>(relaxed, READ);
  const deactivate = guardStatement<object, AuthorizationView>(hot, DEACTIVATE);
  const decide = guardStatement<object, AuthorizationView>(hot, DECIDE_GUARDED);
  return {
    read: async (call, { uuid }) => matchedRow(await read(call, { target: uuid })),
    deactivate: async (call, { uuid, orderError, audit }) =>
      matchedRow(await withRecord(() => deactivate(call, { target: uuid, order_error: orderError, audit }))),
    decide: async (call, result) => matchedRow(await withRecord(() => decide(call, resultFields(result)))),
  };
}

const READ = {
  name: 'acme_read_authorizations',
  fields: 'target uuid',
  columns: VIEW,
  join: 'LEFT JOIN acme_authorization z ON z.uuid = item.target AND z.account_uuid = item.account_uuid',
} as const;

const DEACTIVATE = {
  name: 'acme_deactivate_authorizations',
  fields: 'target uuid, order_error jsonb, audit json',
  work: `ended AS (
       UPDATE acme_authorization z SET status = 'deactivated', leased_until = NULL,
         challenge_status = CASE z.challenge_status WHEN 'processing' THEN 'invalid' ELSE z.challenge_status END
       FROM item
       WHERE z.uuid = item.target AND z.uuid = ANY (ARRAY(SELECT target FROM item)) AND z.account_uuid = item.account_uuid
         AND z.status IN ('pending', 'valid')
       RETURNING z.*, item.place, item.order_error, item.audit
     ), failed AS (
       UPDATE acme_order o SET status = 'invalid', error = ended.order_error FROM ended
       WHERE o.account_uuid = ended.account_uuid AND o.status = 'pending' AND ended.uuid = ANY (o.authorization_uuids)
     ), ${auditInsertCte(`(SELECT coalesce(json_agg(ended.audit), '[]') FROM ended)`)}`,
  columns: VIEW,
  join: 'LEFT JOIN ended z ON z.place = item.place',
} as const;

/** Result of a challenge. */
export interface ChallengeResult {
  readonly uuid: string;
  readonly type: string;
  readonly status: 'valid' | 'invalid';
  readonly error: StoredProblem | null;
  /** Error to store with the order after a failed validation. */
  readonly orderError: StoredProblem | null;
  readonly at: Date;
  /** Until then, other orders can use the validation, so it remains valid regardless of its own order. */
  readonly usableUntil: Date | null;
  /** If the proof itself expires, so does the authorization, regardless of its own lifetime. */
  readonly validUntil: Date | null;
  readonly audit: AuditRecord;
}

const RESULT_FIELDS = `target uuid, type text, status text, error jsonb, order_error jsonb, at timestamptz, usable_until timestamptz,
    valid_until timestamptz, audit json`;

const resultFields = ({ uuid, orderError, usableUntil, validUntil, ...result }: ChallengeResult): object => ({
  target: uuid,
  order_error: orderError,
  usable_until: usableUntil,
  valid_until: validUntil,
  ...result,
});

/** Returns the CTEs that decide the authorization of each `item`; `permitted` restricts which ones can be decided. */
const decisionCtes = (permitted: string): string => `decided AS (
     UPDATE acme_authorization z SET status = item.status, challenge_type = item.type, challenge_status = item.status, error = item.error,
       validated_at = CASE WHEN item.status = 'valid' THEN item.at END, leased_until = NULL,
       expires_at = least(greatest(z.expires_at, item.usable_until), item.valid_until)
     FROM item
     WHERE z.uuid = item.target AND z.uuid = ANY (ARRAY(SELECT target FROM item)) AND ${permitted}
       AND z.status = 'pending' AND z.expires_at > item.at
     RETURNING z.*, item.place, item.order_error, item.audit
   ), failed AS (
     UPDATE acme_order o SET status = 'invalid', error = decided.order_error FROM decided
     WHERE decided.status = 'invalid' AND o.uuid = decided.order_uuid AND o.uuid = ANY (ARRAY(SELECT order_uuid FROM decided))
       AND o.status = 'pending'
   ), ${auditInsertCte(`(SELECT coalesce(json_agg(decided.audit), '[]') FROM decided)`)}`;

const DECIDE_GUARDED = {
  name: 'acme_decide_own_challenges',
  fields: RESULT_FIELDS,
  work: decisionCtes('z.account_uuid = item.account_uuid'),
  columns: VIEW,
  join: 'LEFT JOIN decided z ON z.place = item.place',
} as const;

const DECIDE = hotStatement(
  'acme_decide_challenges',
  `WITH item AS (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS item (place integer, ${RESULT_FIELDS})
   ), ${decisionCtes('true')}
   SELECT ${VIEW} FROM decided z`,
);

/**
 * Records challenge results: each makes its authorization valid or invalid, and a failed validation also makes its
 * order invalid. Returns nothing for authorizations that were already decided or have ended.
 */
export async function decideChallenges(
  executor: HotExecutor,
  results: readonly ChallengeResult[],
): Promise<ReadonlyMap<string, AuthorizationView>> {
  const rows = await runHot<AuthorizationView>(executor, DECIDE, [JSON.stringify(results.map(resultFields))]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

const POSTPONE = hotStatement(
  'acme_postpone_challenge',
  `UPDATE acme_authorization z SET challenge_type = $2::text, challenge_status = 'processing', leased_until = $3::timestamptz,
     leased_by = $4::uuid, origin = $5::text
   WHERE z.uuid = $1::uuid AND z.status = 'pending' RETURNING ${VIEW}`,
);

/** Marks a challenge as in progress, so that it is completed even if this process crashes. */
export async function postponeChallenge(
  executor: HotExecutor,
  facts: {
    readonly uuid: string;
    readonly type: string;
    readonly leasedBy: string;
    readonly leasedUntil: Date;
    /** Origin under which the client knows its account. */
    readonly origin: string | null;
  },
): Promise<AuthorizationView | undefined> {
  const { uuid, type, leasedBy, leasedUntil, origin } = facts;
  const [row] = await runHot<AuthorizationView>(executor, POSTPONE, [uuid, type, leasedUntil, leasedBy, origin]);
  return row;
}

const FIND = hotStatement(
  'acme_find_authorization',
  `SELECT ${VIEW} FROM acme_authorization z WHERE z.uuid = $1::uuid`,
);

export async function findAuthorization(executor: HotExecutor, uuid: string): Promise<AuthorizationView | undefined> {
  const [row] = await runHot<AuthorizationView>(executor, FIND, [uuid]);
  return row;
}

/** A challenge whose worker stopped, with the account and profile data required for its validation. */
export interface LeasedChallenge extends AuthorizationView {
  readonly account_uuid: string;
  readonly account_id: string;
  readonly key_thumbprint: string;
  readonly origin: string | null;
  readonly profile_name: string;
  readonly ra_profile_name: string | null;
}

const LEASE = hotStatement(
  'acme_lease_challenges',
  `WITH leased AS (
     UPDATE acme_authorization SET leased_until = $2::timestamptz, leased_by = $4::uuid WHERE uuid IN (
       SELECT uuid FROM acme_authorization WHERE challenge_status = 'processing' AND status = 'pending' AND expires_at > $1::timestamptz
         AND (leased_until < $1::timestamptz OR (leased_by = $4::uuid AND leased_until < $5::timestamptz))
       ORDER BY leased_until LIMIT $3::integer FOR UPDATE SKIP LOCKED)
     RETURNING *
   )
   SELECT ${VIEW}, z.account_uuid, z.origin, a.account_id, a.key_thumbprint, p.name AS profile_name, r.name AS ra_profile_name
   FROM leased z JOIN acme_account a ON a.uuid = z.account_uuid JOIN acme_profile p ON p.uuid = a.acme_profile_uuid
   LEFT JOIN ra_profile r ON r.uuid = a.ra_profile_uuid`,
);

/**
 * Takes over challenges whose worker stopped; no other node takes the same ones. Challenges of ended authorizations are
 * skipped: their results would have no effect, and their targets would be contacted over and over.
 */
export const leaseChallenges = (executor: HotExecutor, lease: LeaseTakeover): Promise<readonly LeasedChallenge[]> =>
  runHot(executor, LEASE, leaseTakeoverValues(lease));

const KEYS = hotStatement(
  'acme_account_key_thumbprints',
  `SELECT array_prepend(a.key_thumbprint, a.former_key_thumbprints) AS thumbprints FROM acme_account a
   WHERE a.uuid = $1::uuid AND a.status = 'valid'`,
);

/** Returns the thumbprints of an account's current and former keys; empty if the account is deactivated. */
export async function findKeyThumbprints(executor: HotExecutor, accountUuid: string): Promise<readonly string[]> {
  const [row] = await runHot<{ readonly thumbprints: readonly string[] }>(executor, KEYS, [accountUuid]);
  return row?.thumbprints ?? [];
}

/**
 * Returns the specified authorizations that are pending and identify DNS names, provided that the account has already
 * proven a name with dns-persist-01. Relies on acme_authorization_by_account.
 */
export async function findForPrevalidation(
  executor: HotExecutor,
  { uuids, accountUuid }: { readonly uuids: readonly string[]; readonly accountUuid: string },
): Promise<readonly AuthorizationView[]> {
  return runHot(executor, FOR_PROVING_AHEAD, [uuids, accountUuid]);
}

const FOR_PROVING_AHEAD = hotStatement(
  'acme_authorizations_for_proving_ahead',
  `SELECT ${VIEW} FROM acme_authorization z
   WHERE z.uuid = ANY ($1::uuid[]) AND z.account_uuid = $2::uuid AND z.status = 'pending' AND z.identifier_type = 'dns'
     AND EXISTS (SELECT FROM acme_authorization e
       WHERE e.account_uuid = $2::uuid AND e.status = 'valid' AND e.challenge_type = 'dns-persist-01')`,
);
