// End entities to which certificates are being issued, with their passwords.
import type { Executor } from '../../../platform/database/database.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { issuingTables } from '../tables.ts';
import { openPassword, sealPassword } from './end-entity-password.ts';
import type { Enrolment } from './work.ts';

/** Call this in the transaction that reserves the certificates. */
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
  await issuingTables(tx).insertInto('certificate_end_entity').values(rows).execute();
}

/** Returns undefined if the operation that needed the enrollment has ended. */
export async function findEnrolment(
  executor: Executor,
  sealer: Sealer,
  certificateUuid: string,
): Promise<Enrolment | undefined> {
  const row = await issuingTables(executor)
    .selectFrom('certificate_end_entity')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .executeTakeFirst();
  if (!row?.sealed_password) return undefined;
  return { username: row.username, password: openPassword(sealer, certificateUuid, row.sealed_password) };
}
