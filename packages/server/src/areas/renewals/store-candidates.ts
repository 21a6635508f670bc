// What is to be renewed and is not planned yet, found in one statement over certificates, locations and keys.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { ReadTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ReadTables>();

export interface Candidate {
  /** Null where the key is in a token. */
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

// As `windowStart` of the domain says.
const lifetime = sql`(c.not_after - c.not_before)`;
const windowStartSql = sql<Date>`(c.not_after - CASE WHEN s.days_before IS NULL THEN ${lifetime} / 3
  ELSE least(s.days_before * interval '1 day', ${lifetime} / 2) END)`;

/** Certificates that are in use under RA profiles which say that they are renewed, and whose window has begun. */
const due = (executor: Executor, now: Date) =>
  tables(executor)
    .selectFrom('renewal_setting as s')
    .innerJoin('certificate as c', 'c.ra_profile_uuid', 's.ra_profile_uuid')
    .select([
      'c.uuid as certificateUuid',
      's.ra_profile_uuid as raProfileUuid',
      's.days_before as daysBefore',
      'c.not_before as notBefore',
      'c.not_after as notAfter',
    ])
    .where('s.automatic', '=', true)
    .where('c.state', '=', 'issued')
    .where('c.archived', '=', false)
    .where('c.not_after', '>', now)
    .where(windowStartSql, '<=', now)
    .orderBy('c.not_after');

/** Those in locations that make keys. */
export const findInLocations = (executor: Executor, { now, limit }: CandidateQuery): Promise<Candidate[]> =>
  due(executor, now)
    .innerJoin('location_certificate as held', 'held.certificate_uuid', 'c.uuid')
    .innerJoin('location as l', 'l.uuid', 'held.location_uuid')
    .leftJoin('renewal as known', (join) =>
      join
        .onRef('known.location_uuid', '=', 'held.location_uuid')
        .onRef('known.certificate_uuid', '=', 'held.certificate_uuid'),
    )
    .select('l.uuid as locationUuid')
    .where('held.state', 'in', ['installed', 'served'])
    .where('l.enabled', '=', true)
    .where('l.key_management', '=', true)
    .where('known.certificate_uuid', 'is', null)
    .limit(limit)
    .$narrowType<{ notBefore: Date; notAfter: Date }>()
    .execute();

/** Is the private half of its key in a token, and may it be used? `c` is the certificate. */
export const isKeyInToken = sql<boolean>`EXISTS (SELECT FROM key_item i
  WHERE i.public_key_fingerprint = c.public_key_fingerprint AND i.type = 'Private' AND i.state = 'active' AND i.enabled
  OFFSET 0)`;

/** What was asked for in its place and has not failed, whoever asked. */
const hasSuccessor = sql<boolean>`EXISTS (SELECT FROM certificate_relation r
  JOIN certificate next ON next.uuid = r.successor_uuid
  WHERE r.predecessor_uuid = c.uuid AND next.state NOT IN ('failed', 'rejected'))`;

const isInLocation = sql<boolean>`EXISTS (SELECT FROM location_certificate held
  WHERE held.certificate_uuid = c.uuid AND held.state <> 'failed')`;

/** Those whose key is in a token, and which no client of a protocol and no location looks after. */
export async function findWithTokenKeys(executor: Executor, { now, limit }: CandidateQuery): Promise<Candidate[]> {
  const rows = await due(executor, now)
    .leftJoin('renewal as known', (join) =>
      join.onRef('known.certificate_uuid', '=', 'c.uuid').on('known.location_uuid', 'is', null),
    )
    .where('s.token_keys', '=', true)
    .where('c.protocol', 'is', null)
    .where('known.certificate_uuid', 'is', null)
    .where(isKeyInToken)
    .where(sql<boolean>`NOT ${isInLocation}`)
    .where(sql<boolean>`NOT ${hasSuccessor}`)
    .limit(limit)
    .$narrowType<{ notBefore: Date; notAfter: Date }>()
    .execute();
  return rows.map((row) => ({ ...row, locationUuid: null }));
}

export interface Standing {
  readonly not_after: Date;
  readonly state: string;
}

/** Is the certificate still in the location, and is it to be renewed? */
export const findHeld = (
  executor: Executor,
  { locationUuid, certificateUuid }: { readonly locationUuid: string; readonly certificateUuid: string },
): Promise<Standing | undefined> =>
  wanted(executor, certificateUuid)
    .innerJoin('location_certificate as held', 'held.certificate_uuid', 'c.uuid')
    .where('held.location_uuid', '=', locationUuid)
    .where('held.state', 'in', ['installed', 'served'])
    .executeTakeFirst();

/** Is its key still in a token, and is it to be renewed? */
export const findWithTokenKey = (executor: Executor, certificateUuid: string): Promise<Standing | undefined> =>
  wanted(executor, certificateUuid).where('s.token_keys', '=', true).where(isKeyInToken).executeTakeFirst();

const wanted = (executor: Executor, certificateUuid: string) =>
  tables(executor)
    .selectFrom('certificate as c')
    .innerJoin('renewal_setting as s', 's.ra_profile_uuid', 'c.ra_profile_uuid')
    .select(['c.not_after', 'c.state'])
    .where('c.uuid', '=', certificateUuid)
    .where('s.automatic', '=', true)
    .where('c.archived', '=', false)
    .$narrowType<{ not_after: Date }>();

/** What was asked for in place of the certificate and has not failed. */
export async function findSuccessor(executor: Executor, certificateUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT next.uuid FROM certificate_relation r JOIN certificate next ON next.uuid = r.successor_uuid
    WHERE r.predecessor_uuid = ${certificateUuid}::uuid AND next.state NOT IN ('failed', 'rejected')
    ORDER BY next.uuid DESC LIMIT 1`.execute(executor);
  return rows[0]?.uuid;
}

/** When a certificate ends; undefined where it is gone. */
export async function findEnd(executor: Executor, certificateUuid: string): Promise<Date | undefined> {
  const row = await tables(executor)
    .selectFrom('certificate')
    .select('not_after')
    .where('uuid', '=', certificateUuid)
    .executeTakeFirst();
  return row?.not_after ?? undefined;
}
