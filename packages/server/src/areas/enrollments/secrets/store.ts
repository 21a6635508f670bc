// Queries for one-time secrets.
import { createBatcher } from '@signetry/connector-sdk';
import { sql } from 'kysely';
import {
  hotStatement,
  runHot,
  type Database,
  type Executor,
  type HotExecutor,
  type HotStatement,
} from '../../../platform/database/database.ts';
import type { TransactionKey } from '../store.ts';
import type { EnrollmentTables, SecretRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<EnrollmentTables>();

/** Returns the secrets of an RA profile, newest first. */
export const findAll = (executor: Executor, raProfileUuid: string): Promise<SecretRow[]> =>
  tables(executor)
    .selectFrom('enrollment_secret')
    .selectAll()
    .where('ra_profile_uuid', '=', raProfileUuid)
    .orderBy('uuid', 'desc')
    .execute();

export interface SecretQuery {
  readonly protocol: SecretRow['protocol'];
  readonly raProfileUuid: string;
  readonly now: Date;
  /** Transaction that the message continues. */
  readonly transaction?: Pick<TransactionKey, 'profileUuid' | 'transactionId'> | undefined;
}

/** Matches secrets that can currently be used, and secrets used by the transaction that this message continues. */
const usableSecretsQuery = (column: 'secret_hash' | 'reference') =>
  `SELECT item.place, found.* FROM jsonb_to_recordset($1::jsonb) AS item (place integer, protocol text,
     "raProfileUuid" uuid, text text, now timestamptz, "profileUuid" uuid, "transactionId" text)
   CROSS JOIN LATERAL (
     SELECT * FROM enrollment_secret s
     WHERE s.protocol = item.protocol AND s.ra_profile_uuid = item."raProfileUuid" AND s.${column} = item.text
       AND ((s.used_at IS NULL AND s.withdrawn_at IS NULL AND s.expires_at > item.now)
         OR s.enrollment_uuid = (SELECT e.uuid FROM enrollment e
           WHERE e.protocol = item.protocol AND e.profile_uuid = item."profileUuid"
             AND e.transaction_id = item."transactionId" AND e.certificate_uuid IS NOT NULL))
     LIMIT 1) found`;

const BY_HASH = hotStatement('find_enrollment_secrets_by_hash', usableSecretsQuery('secret_hash'));
const BY_REFERENCE = hotStatement('find_enrollment_secrets_by_reference', usableSecretsQuery('reference'));

type FindSecret = (query: SecretQuery & { readonly text: string }) => Promise<SecretRow | undefined>;

/** Concurrent requests are combined into shared statements. */
export function createSecretStatements({ relaxed }: Pick<Database, 'relaxed'>) {
  const createFinder = (statement: HotStatement): FindSecret =>
    createBatcher({ scheduleFlush: relaxed.scheduleFlush, write: (queries) => findAt(relaxed, statement, queries) });
  return { findByHash: createFinder(BY_HASH), findByReference: createFinder(BY_REFERENCE) };
}

async function findAt(
  executor: HotExecutor,
  statement: HotStatement,
  queries: readonly Parameters<FindSecret>[0][],
): Promise<readonly (SecretRow | undefined)[]> {
  const items = queries.map(({ transaction, ...query }, place) => ({ ...query, ...transaction, place }));
  const rows = await runHot<SecretRow & { readonly place: number }>(executor, statement, [JSON.stringify(items)]);
  const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]));
  return queries.map((_, place) => byPlace.get(place));
}

export async function insert(tx: Executor, row: SecretRow): Promise<void> {
  await tables(tx).insertInto('enrollment_secret').values(row).execute();
}

export const lock = (
  tx: Executor,
  { uuid, raProfileUuid }: { readonly uuid: string; readonly raProfileUuid: string },
): Promise<SecretRow | undefined> =>
  tables(tx)
    .selectFrom('enrollment_secret')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('ra_profile_uuid', '=', raProfileUuid)
    .forUpdate()
    .executeTakeFirst();

export async function withdraw(tx: Executor, uuid: string, at: Date): Promise<void> {
  await tables(tx).updateTable('enrollment_secret').set({ withdrawn_at: at }).where('uuid', '=', uuid).execute();
}

export async function removeOldSecrets(
  executor: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM enrollment_secret WHERE uuid IN (
      SELECT uuid FROM enrollment_secret WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit})`.execute(
    executor,
  );
  return Number(numAffectedRows);
}
