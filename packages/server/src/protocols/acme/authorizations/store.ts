// Hot statements of authorizations and their challenges. They rely on the primary key of acme_authorization; the sweep on
// acme_authorization_processing.
import { auditInsertCte } from '../../../areas/audit/index.ts';
import { hotStatement, runHot, type HotExecutor } from '../../../platform/database/database.ts';
import type { AccountCall } from '../requests/call.ts';
import { createGuardedReads, GUARD, GUARD_FACTS, runGuarded, type GuardedRead } from '../store-guard.ts';
import { takeOverValues, type TakeOver } from '../store-leases.ts';
import type { StoredProblem } from '../vocabulary.ts';

/** What an authorization is presented and validated from. */
export interface AuthorizationView {
  readonly uuid: string;
  readonly order_uuid: string;
  readonly identifier_type: 'dns' | 'ip';
  /** Without the `*.` of a wildcard. */
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

/** Reads an authorization of the account. */
export type ReadAuthorization = (read: GuardedRead) => Promise<AuthorizationView | undefined>;

export const createAuthorizationReads = (executor: HotExecutor): ReadAuthorization =>
  createGuardedReads<AuthorizationView>(executor, {
    name: 'acme_read_authorizations',
    columns: VIEW,
    join: 'LEFT JOIN acme_authorization z ON z.uuid = item.target AND z.account_uuid = item.account_uuid',
  });

/** How a challenge ended. */
export interface ChallengeResult {
  readonly uuid: string;
  readonly type: string;
  readonly status: 'valid' | 'invalid';
  readonly error: StoredProblem | null;
  readonly at: Date;
}

const DECIDE = hotStatement(
  'acme_decide_challenge',
  `WITH decided AS (
     UPDATE acme_authorization z SET status = $2::text, challenge_type = $3::text, challenge_status = $2::text, error = $4::jsonb,
       validated_at = CASE WHEN $2::text = 'valid' THEN $5::timestamptz END, leased_until = NULL
     WHERE z.uuid = $1::uuid AND z.status = 'pending' AND z.expires_at > $5::timestamptz
     RETURNING ${VIEW}
   ), failed AS (
     UPDATE acme_order o SET status = 'invalid', error = $7::jsonb FROM decided
     WHERE $2::text = 'invalid' AND o.uuid = decided.order_uuid AND o.status = 'pending'
   ), ${auditInsertCte(`(CASE WHEN EXISTS (SELECT FROM decided) THEN $6 ELSE '[]' END)`)}
   SELECT * FROM decided`,
);

/**
 * Records the verdict on a challenge: with it the authorization is valid or invalid, and an order whose proof failed is invalid.
 * Undefined when somebody else decided before, or the authorization is over.
 */
export async function decideChallenge(
  executor: HotExecutor,
  facts: { readonly result: ChallengeResult; readonly orderError: StoredProblem | null; readonly audit: string },
): Promise<AuthorizationView | undefined> {
  const { uuid, status, type, error, at } = facts.result;
  const [row] = await runHot<AuthorizationView>(executor, DECIDE, [
    uuid,
    status,
    type,
    error === null ? null : JSON.stringify(error),
    at,
    facts.audit,
    facts.orderError === null ? null : JSON.stringify(facts.orderError),
  ]);
  return row;
}

const POSTPONE = hotStatement(
  'acme_postpone_challenge',
  `UPDATE acme_authorization z SET challenge_type = $2::text, challenge_status = 'processing', leased_until = $3::timestamptz,
     leased_by = $4::uuid
   WHERE z.uuid = $1::uuid AND z.status = 'pending' RETURNING ${VIEW}`,
);

/** Marks a challenge as under way, so that it is finished even when this process dies. */
export async function postponeChallenge(
  executor: HotExecutor,
  facts: {
    readonly uuid: string;
    readonly type: string;
    readonly leasedBy: string;
    readonly leasedUntil: Date;
  },
): Promise<AuthorizationView | undefined> {
  const { uuid, type, leasedBy, leasedUntil } = facts;
  const [row] = await runHot<AuthorizationView>(executor, POSTPONE, [uuid, type, leasedUntil, leasedBy]);
  return row;
}

const DEACTIVATE = hotStatement(
  'acme_deactivate_authorization',
  `WITH ${GUARD}, ended AS (
     UPDATE acme_authorization z SET status = 'deactivated', leased_until = NULL
     WHERE z.uuid = $5::uuid AND z.account_uuid = (SELECT uuid FROM account) AND z.status IN ('pending', 'valid')
     RETURNING ${VIEW}
   ), failed AS (
     UPDATE acme_order o SET status = 'invalid', error = $6::jsonb FROM ended
     WHERE o.account_uuid = (SELECT uuid FROM account) AND o.status = 'pending' AND ended.uuid = ANY (o.authorization_uuids)
   ), ${auditInsertCte(`(CASE WHEN EXISTS (SELECT FROM ended) THEN $7 ELSE '[]' END)`)}
   SELECT ${GUARD_FACTS}, z.* FROM (VALUES (1)) AS one LEFT JOIN ended z ON true`,
);

/** Ends an authorization and the orders that wait for it (RFC 8555 §7.5.2); undefined when there is none that can be ended. */
export async function deactivateAuthorization(
  executor: HotExecutor,
  facts: {
    readonly call: AccountCall;
    readonly uuid: string;
    readonly orderError: StoredProblem;
    readonly audit: string;
  },
): Promise<AuthorizationView | undefined> {
  const values = [facts.uuid, JSON.stringify(facts.orderError), facts.audit];
  const row = await runGuarded<AuthorizationView>(executor, DEACTIVATE, { call: facts.call, values });
  return (row.uuid as string | null) === null ? undefined : row; // an outer join answers nulls
}

const FIND = hotStatement(
  'acme_find_authorization',
  `SELECT ${VIEW} FROM acme_authorization z WHERE z.uuid = $1::uuid`,
);

export async function findAuthorization(executor: HotExecutor, uuid: string): Promise<AuthorizationView | undefined> {
  const [row] = await runHot<AuthorizationView>(executor, FIND, [uuid]);
  return row;
}

/** A challenge whose worker is gone, with what validating it needs of account and profile. */
export interface LeasedChallenge extends AuthorizationView {
  readonly account_uuid: string;
  readonly account_id: string;
  readonly key_thumbprint: string;
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
   SELECT ${VIEW}, z.account_uuid, a.account_id, a.key_thumbprint, p.name AS profile_name, r.name AS ra_profile_name
   FROM leased z JOIN acme_account a ON a.uuid = z.account_uuid JOIN acme_profile p ON p.uuid = a.acme_profile_uuid
   LEFT JOIN ra_profile r ON r.uuid = a.ra_profile_uuid`,
);

/**
 * Takes over challenges whose worker is gone; no other node gets the same ones. One whose authorization is over is left alone: no
 * verdict would count, and its target would be asked again and again.
 */
export const leaseChallenges = (executor: HotExecutor, lease: TakeOver): Promise<readonly LeasedChallenge[]> =>
  runHot(executor, LEASE, takeOverValues(lease));
