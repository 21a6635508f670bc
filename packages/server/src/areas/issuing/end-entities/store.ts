// Queries for certificates issued to end entities, and for certificates by the identifiers that v1 authorities use.
import type { Executor } from '../../../platform/database/database.ts';
import { hasSerialNumber, type CertificateRow } from '../../certificates/index.ts';
import { issuingTables } from '../tables.ts';

/** Finds the valid certificates of an end entity under an RA profile. */
export const findIssuedTo = (
  executor: Executor,
  of: { readonly raProfileUuid: string; readonly username: string },
): Promise<CertificateRow[]> =>
  issuingTables(executor)
    .selectFrom('certificate')
    .innerJoin('certificate_end_entity', 'certificate_end_entity.certificate_uuid', 'certificate.uuid')
    .selectAll('certificate')
    .where('certificate_end_entity.username', '=', of.username)
    .where('certificate.ra_profile_uuid', '=', of.raProfileUuid)
    .where('certificate.state', '=', 'issued')
    .where('certificate.archived', '=', false)
    .orderBy('certificate.uuid')
    .execute();

/** Finds a certificate by serial number and either of its issuer's normalized names. */
export const findBySerialNumber = (
  executor: Executor,
  of: { readonly serialNumber: string; readonly issuerNames: readonly string[] },
): Promise<CertificateRow | undefined> =>
  issuingTables(executor)
    .selectFrom('certificate')
    .selectAll()
    .where(hasSerialNumber('serial_number', of.serialNumber))
    .where('issuer_dn_normalized', 'in', of.issuerNames)
    .where('state', '<>', 'failed')
    .executeTakeFirst();
