// Finds certificates that are due for renewal but not scheduled yet. Reads only certificates that the platform can
// renew: certificates in locations, and certificates whose key is in a token. The inventory is never scanned as a
// whole.
import { sql, type RawBuilder } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { ReadTables, SettingRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ReadTables>();

export interface Candidate {
  /** Null if the key is in a token. */
  readonly locationUuid: string | null;
  readonly certificateUuid: string;
  readonly raProfileUuid: string;
  readonly daysBefore: number | null;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

interface CandidateQuery {
  readonly now: Date;
  readonly limit: number;
}

/** Returns the RA profiles with automatic renewal. If there are none, no search is needed. */
export const findRenewing = (executor: Executor): Promise<Pick<SettingRow, 'ra_profile_uuid' | 'token_keys'>[]> =>
  tables(executor)
    .selectFrom('renewal_setting')
    .select(['ra_profile_uuid', 'token_keys'])
    .where('automatic', '=', true)
    .execute();

// Must match `windowStart` in renewal-window.ts.
const lifetime = sql`(c.not_after - c.not_before)`;
const windowStartSql = sql<Date>`(c.not_after - CASE WHEN s.days_before IS NULL THEN ${lifetime} / 3
  ELSE least(s.days_before * interval '1 day', ${lifetime} / 2) END)`;

const facts = sql`c.uuid AS "certificateUuid", s.ra_profile_uuid AS "raProfileUuid", s.days_before AS "daysBefore",
  c.not_before AS "notBefore", c.not_after AS "notAfter"`;

/**
 * Issued certificates that are not archived, are under an RA profile with automatic renewal, and whose renewal window
 * has started.
 */
const isDue = (now: Date): RawBuilder<unknown> => sql`s.automatic AND c.state = 'issued' AND NOT c.archived
  AND c.not_after > ${now} AND ${windowStartSql} <= ${now}`;

/** Returns candidates in locations that generate keys. */
export async function findInLocations(executor: Executor, { now, limit }: CandidateQuery): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    WITH placed AS MATERIALIZED (
      SELECT held.location_uuid, held.certificate_uuid
      FROM location_certificate held JOIN location l ON l.uuid = held.location_uuid
      WHERE held.state IN ('installed', 'served') AND l.enabled AND l.key_management AND NOT EXISTS (SELECT FROM renewal known
        WHERE known.location_uuid = held.location_uuid AND known.certificate_uuid = held.certificate_uuid))
    SELECT ${facts}, placed.location_uuid AS "locationUuid"
    FROM placed JOIN certificate c ON c.uuid = placed.certificate_uuid
      JOIN renewal_setting s ON s.ra_profile_uuid = c.ra_profile_uuid
    WHERE ${isDue(now)} ORDER BY c.not_after LIMIT ${limit}`.execute(executor);
  return rows;
}

/** Private key in a token, if the key is active and enabled. */
const isUsableKey = sql`i.type = 'Private' AND i.state = 'active' AND i.enabled`;

/** Whether the certificate's private key is in a token and is active and enabled. `c` is the certificate. */
export const isKeyInToken = sql<boolean>`EXISTS (SELECT FROM key_item i
  WHERE i.public_key_fingerprint = c.public_key_fingerprint AND ${isUsableKey}
  OFFSET 0)`;

/** Whether the certificate has a successor that has not failed or been rejected, regardless of who requested it. */
const hasSuccessor = sql<boolean>`EXISTS (SELECT FROM certificate_relation r
  JOIN certificate next ON next.uuid = r.successor_uuid
  WHERE r.predecessor_uuid = c.uuid AND next.state NOT IN ('failed', 'rejected'))`;

const isInLocation = sql<boolean>`EXISTS (SELECT FROM location_certificate held
  WHERE held.certificate_uuid = c.uuid AND held.state <> 'failed')`;

/** Returns candidates whose key is in a token and that no protocol client or location manages. */
export async function findWithTokenKeys(executor: Executor, { now, limit }: CandidateQuery): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    WITH kept AS MATERIALIZED (SELECT DISTINCT i.public_key_fingerprint AS key FROM key_item i WHERE ${isUsableKey})
    SELECT ${facts}, NULL AS "locationUuid"
    FROM kept JOIN certificate c ON c.public_key_fingerprint = kept.key
      JOIN renewal_setting s ON s.ra_profile_uuid = c.ra_profile_uuid
    WHERE ${isDue(now)} AND s.token_keys AND c.protocol IS NULL
      AND NOT EXISTS (SELECT FROM renewal known WHERE known.certificate_uuid = c.uuid AND known.location_uuid IS NULL)
      AND NOT ${isInLocation} AND NOT ${hasSuccessor}
    ORDER BY c.not_after LIMIT ${limit}`.execute(executor);
  return rows;
}

export interface HeldState {
  readonly not_after: Date;
  readonly state: string;
}

/** Returns the certificate's state if it is still in the location and should be renewed. */
export const findHeld = (
  executor: Executor,
  { locationUuid, certificateUuid }: { readonly locationUuid: string; readonly certificateUuid: string },
): Promise<HeldState | undefined> =>
  candidateRows(executor, certificateUuid)
    .innerJoin('location_certificate as held', 'held.certificate_uuid', 'c.uuid')
    .where('held.location_uuid', '=', locationUuid)
    .where('held.state', 'in', ['installed', 'served'])
    .executeTakeFirst();

/** Returns the certificate's state if its key is still in a token and it should be renewed. */
export const findWithTokenKey = (executor: Executor, certificateUuid: string): Promise<HeldState | undefined> =>
  candidateRows(executor, certificateUuid).where('s.token_keys', '=', true).where(isKeyInToken).executeTakeFirst();

const candidateRows = (executor: Executor, certificateUuid: string) =>
  tables(executor)
    .selectFrom('certificate as c')
    .innerJoin('renewal_setting as s', 's.ra_profile_uuid', 'c.ra_profile_uuid')
    .select(['c.not_after', 'c.state'])
    .where('c.uuid', '=', certificateUuid)
    .where('s.automatic', '=', true)
    .where('c.archived', '=', false)
    .$narrowType<{ not_after: Date }>();

/** Returns the certificate's newest successor that has not failed or been rejected. */
export async function findSuccessor(executor: Executor, certificateUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT next.uuid FROM certificate_relation r JOIN certificate next ON next.uuid = r.successor_uuid
    WHERE r.predecessor_uuid = ${certificateUuid}::uuid AND next.state NOT IN ('failed', 'rejected')
    ORDER BY next.uuid DESC LIMIT 1`.execute(executor);
  return rows[0]?.uuid;
}

/** Returns the expiry of a certificate; undefined if it no longer exists. */
export async function findEnd(executor: Executor, certificateUuid: string): Promise<Date | undefined> {
  const row = await tables(executor)
    .selectFrom('certificate')
    .select('not_after')
    .where('uuid', '=', certificateUuid)
    .executeTakeFirst();
  return row?.not_after ?? undefined;
}
