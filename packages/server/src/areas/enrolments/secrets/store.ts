// Queries of one-time secrets.
import { sql } from 'kysely';
import type { Database, Executor } from '../../../platform/database/database.ts';
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
  /** Of the transaction that the message belongs to. */
  readonly enrolmentUuid?: string | undefined;
}

/** Those that can be used now, or were used by the transaction that goes on. */
const usable = (executor: Executor, { protocol, raProfileUuid, now, enrolmentUuid }: SecretQuery) =>
  tables(executor)
    .selectFrom('enrolment_secret')
    .selectAll()
    .where('protocol', '=', protocol)
    .where('ra_profile_uuid', '=', raProfileUuid)
    .where((eb) =>
      eb.or([
        eb.and([eb('used_at', 'is', null), eb('withdrawn_at', 'is', null), eb('expires_at', '>', now)]),
        eb('enrolment_uuid', '=', enrolmentUuid ?? null),
      ]),
    );

export const findByHash = (executor: Executor, query: SecretQuery & { readonly hash: string }) =>
  usable(executor, query).where('secret_hash', '=', query.hash).executeTakeFirst();

export const findByReference = (executor: Executor, query: SecretQuery & { readonly reference: string }) =>
  usable(executor, query).where('reference', '=', query.reference).executeTakeFirst();

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
