// Queries for successor relations between certificates.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { certificateTables, joinedTables, type CertificateTables } from '../../certificates/index.ts';

type RelationRow = CertificateTables['certificate_relation'];

/** Finds a certificate's successors and predecessors with the displayed columns, newest relation first. */
export const findRelated = (executor: Executor, uuid: string) =>
  joinedTables(executor)
    .selectFrom('certificate_relation as r')
    .innerJoin('certificate as c', (join) =>
      join.on(
        sql<boolean>`c.uuid = CASE WHEN r.successor_uuid = ${uuid} THEN r.predecessor_uuid ELSE r.successor_uuid END`,
      ),
    )
    .select([
      'r.relation_type',
      'r.predecessor_uuid',
      'c.uuid',
      'c.certificate_type',
      'c.state',
      'c.revocation_awaits_approval',
      'c.common_name',
      'c.subject_dn',
      'c.issuer_common_name',
      'c.issuer_dn',
      'c.serial_number',
      'c.fingerprint',
      'c.public_key_algorithm',
      'c.alt_public_key_algorithm',
      'c.signature_algorithm',
      'c.alt_signature_algorithm',
      'c.not_before',
      'c.not_after',
    ]) // prettier-ignore
    .where((build) => build.or([build('r.successor_uuid', '=', uuid), build('r.predecessor_uuid', '=', uuid)]))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.successor_uuid', 'desc')
    .execute();

export type RelatedRow = Awaited<ReturnType<typeof findRelated>>[number];

/** Finds the relation between two certificates in either direction. */
export const findRelationOf = (tx: Executor, [one, other]: readonly [string, string]) =>
  certificateTables(tx)
    .selectFrom('certificate_relation')
    .selectAll()
    .where('successor_uuid', 'in', [one, other])
    .where('predecessor_uuid', 'in', [one, other])
    .executeTakeFirst();

export async function insertRelation(tx: Executor, relation: RelationRow): Promise<void> {
  await certificateTables(tx).insertInto('certificate_relation').values(relation).execute();
}

export async function deleteRelation(
  tx: Executor,
  { successor_uuid, predecessor_uuid }: Pick<RelationRow, 'successor_uuid' | 'predecessor_uuid'>,
): Promise<void> {
  await certificateTables(tx)
    .deleteFrom('certificate_relation')
    .where('successor_uuid', '=', successor_uuid)
    .where('predecessor_uuid', '=', predecessor_uuid)
    .execute();
}
