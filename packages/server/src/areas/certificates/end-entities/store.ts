// Which end entities certificates were issued to, and certificates as authorities of the first generation name them.
import type { Executor } from '../../../platform/database/database.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { tables } from '../core/store.ts';
import type { CertificateRow } from '../core/tables.ts';
import type { Enrolment } from '../operations/work.ts';
import { openPassword, sealPassword } from './password.ts';

/** Within the transaction that reserves the certificates. */
export async function insertEnrolments(
  tx: Executor,
  sealer: Sealer,
  enrolments: readonly { readonly certificateUuid: string; readonly enrolment: Enrolment }[],
): Promise<void> {
  if (enrolments.length === 0) return;
  const rows = enrolments.map(({ certificateUuid, enrolment: { username, password } }) => ({
    certificate_uuid: certificateUuid,
    username,
    sealed_password: Buffer.from(sealPassword(sealer, certificateUuid, password)),
  }));
  await tables(tx).insertInto('certificate_end_entity').values(rows).execute();
}

/** Undefined when the operation that needed it has ended. */
export async function findEnrolment(
  executor: Executor,
  sealer: Sealer,
  certificateUuid: string,
): Promise<Enrolment | undefined> {
  const row = await tables(executor)
    .selectFrom('certificate_end_entity')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .executeTakeFirst();
  if (!row?.sealed_password) return undefined;
  return { username: row.username, password: openPassword(sealer, certificateUuid, row.sealed_password) };
}

/** The valid certificates of an end entity under an RA profile. */
export const findIssuedTo = (
  executor: Executor,
  of: { readonly raProfileUuid: string; readonly username: string },
): Promise<CertificateRow[]> =>
  tables(executor)
    .selectFrom('certificate')
    .innerJoin('certificate_end_entity', 'certificate_end_entity.certificate_uuid', 'certificate.uuid')
    .selectAll('certificate')
    .where('certificate_end_entity.username', '=', of.username)
    .where('certificate.ra_profile_uuid', '=', of.raProfileUuid)
    .where('certificate.state', '=', 'issued')
    .where('certificate.archived', '=', false)
    .orderBy('certificate.uuid')
    .execute();

/** Under either of the normalized names of the issuer. */
export const findBySerialNumber = (
  executor: Executor,
  of: { readonly serialNumber: string; readonly issuerNames: readonly string[] },
): Promise<CertificateRow | undefined> =>
  tables(executor)
    .selectFrom('certificate')
    .selectAll()
    .where('serial_number', '=', of.serialNumber)
    .where('issuer_dn_normalized', 'in', of.issuerNames)
    .where('state', '<>', 'failed')
    .executeTakeFirst();
