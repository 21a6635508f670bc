// Queries of one-time secrets.
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
import type { EnrolmentTables, SecretRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<EnrolmentTables>();

/** Those of an RA profile, the newest first. */
export const findAll = (executor: Executor, raProfileUuid: string): Promise<SecretRow[]> =>
  tables(executor)
    .selectFrom('enrolment_secret')
    .selectAll()
    .where('ra_profile_uuid', '=', raProfileUuid)
    .orderBy('uuid', 'desc')
    .execute();

export interface SecretQuery {
  readonly protocol: SecretRow['protocol'];
  readonly raProfileUuid: string;
  readonly now: Date;
  /** That which the message goes on with. */
  readonly transaction?: Pick<TransactionKey, 'profileUuid' | 'transactionId'> | undefined;
}

/** Those that can be used now, or were used by the transaction that goes on. */
const usable = (column: 'secret_hash' | 'reference') =>
  `SELECT * FROM enrolment_secret
   WHERE protocol = $1 AND ra_profile_uuid = $2::uuid AND ${column} = $3
     AND ((used_at IS NULL AND withdrawn_at IS NULL AND expires_at > $4)
       OR enrolment_uuid = (SELECT e.uuid FROM enrolment e WHERE e.protocol = $1 AND e.profile_uuid = $5::uuid
         AND e.transaction_id = $6 AND e.certificate_uuid IS NOT NULL))`;

const BY_HASH = hotStatement('find_enrolment_secret_by_hash', usable('secret_hash'));
const BY_REFERENCE = hotStatement('find_enrolment_secret_by_reference', usable('reference'));

const findOne = async (
  executor: HotExecutor,
  { statement, text }: { readonly statement: HotStatement; readonly text: string },
  { protocol, raProfileUuid, now, transaction }: SecretQuery,
): Promise<SecretRow | undefined> => {
  const values = [
    protocol,
    raProfileUuid,
    text,
    now,
    transaction?.profileUuid ?? null,
    transaction?.transactionId ?? null,
  ];
  return (await runHot<SecretRow>(executor, statement, values))[0];
};

export const findByHash = (executor: HotExecutor, query: SecretQuery & { readonly hash: string }) =>
  findOne(executor, { statement: BY_HASH, text: query.hash }, query);

export const findByReference = (executor: HotExecutor, query: SecretQuery & { readonly reference: string }) =>
  findOne(executor, { statement: BY_REFERENCE, text: query.reference }, query);

export async function insert(tx: Executor, row: SecretRow): Promise<void> {
  await tables(tx).insertInto('enrolment_secret').values(row).execute();
}

export const lock = (
  tx: Executor,
  { uuid, raProfileUuid }: { readonly uuid: string; readonly raProfileUuid: string },
): Promise<SecretRow | undefined> =>
  tables(tx)
    .selectFrom('enrolment_secret')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('ra_profile_uuid', '=', raProfileUuid)
    .forUpdate()
    .executeTakeFirst();

export async function withdraw(tx: Executor, uuid: string, at: Date): Promise<void> {
  await tables(tx).updateTable('enrolment_secret').set({ withdrawn_at: at }).where('uuid', '=', uuid).execute();
}

export async function removeOldSecrets(
  { executor }: Pick<Database, 'executor'>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM enrolment_secret WHERE uuid IN (
      SELECT uuid FROM enrolment_secret WHERE expires_at < ${before} LIMIT ${limit})`.execute(executor);
  return Number(numAffectedRows);
}
