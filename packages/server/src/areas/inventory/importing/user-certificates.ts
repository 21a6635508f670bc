// User certificates, as needed by the identity area.
import type { Executor } from '../../../platform/database/database.ts';
import type { UserCertificate, UserCertificates } from '../../identity/index.ts';
import type { Importer } from '../certificate/import.ts';
import { findCertificate, readBounded, type CertificateRow, type NameSource } from '../../certificates/index.ts';
import { findByFingerprint } from '../certificate/store.ts';

interface UserCertificateParts {
  readonly importer: Importer;
  readonly names: NameSource;
}

export function createUserCertificates({ importer, names }: UserCertificateParts): UserCertificates {
  const findByUuid = async (executor: Executor, uuid: string) =>
    toUserCertificate(await findCertificate(executor, uuid));

  return {
    findByUuid,
    findByFingerprint: async (executor, fingerprint) =>
      toUserCertificate(await findByFingerprint(executor, fingerprint)),
    async upload(executor, { der, context }) {
      const { codes } = await names();
      const [imported] = await importer.importAll(executor, [readBounded(der, codes)], {
        options: { note: 'Uploaded as a user certificate' },
        context,
      });
      const certificate = imported && (await findByUuid(executor, imported.uuid));
      if (!certificate) throw new Error('Imported certificate not found after the import.');
      return certificate;
    },
  };
}

/** Omits certificates that are not issued: they have no content yet and cannot be used to sign in. */
function toUserCertificate(row: CertificateRow | undefined): UserCertificate | undefined {
  if (!row || row.fingerprint === null || row.not_before === null || row.not_after === null) return undefined;
  return {
    uuid: row.uuid,
    fingerprint: row.fingerprint,
    state: row.state,
    archived: row.archived,
    revoked: row.revoked_at !== null,
    notBefore: row.not_before,
    notAfter: row.not_after,
    subjectDn: row.subject_dn,
    raProfileUuid: row.ra_profile_uuid,
  };
}
