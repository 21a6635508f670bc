// End entities to which certificates are being issued, with their passwords.
import type { Executor } from '../../../platform/database/database.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { issuingTables } from '../tables.ts';
import { openPassword, sealPassword } from './end-entity-password.ts';
import type { Enrollment } from './work.ts';

/** Call this in the transaction that reserves the certificates. */
export async function insertEnrollments(
  tx: Executor,
  sealer: Sealer,
  enrollments: readonly { readonly certificateUuid: string; readonly enrollment: Enrollment }[],
): Promise<void> {
  if (enrollments.length === 0) return;
  const rows = enrollments.map(({ certificateUuid, enrollment: { username, password } }) => ({
    certificate_uuid: certificateUuid,
    username,
    sealed_password: Buffer.from(sealPassword(sealer, certificateUuid, password)),
  }));
  await issuingTables(tx).insertInto('certificate_end_entity').values(rows).execute();
}

/** Returns undefined if the operation that needed the enrollment has ended. */
export async function findEnrollment(
  executor: Executor,
  sealer: Sealer,
  certificateUuid: string,
): Promise<Enrollment | undefined> {
  const row = await issuingTables(executor)
    .selectFrom('certificate_end_entity')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .executeTakeFirst();
  if (!row?.sealed_password) return undefined;
  return { username: row.username, password: openPassword(sealer, certificateUuid, row.sealed_password) };
}
