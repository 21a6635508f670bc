// Seals end entity passwords, because the authority requires them in cleartext, even after a crash.
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { Secret } from '../../../kernel/secret.ts';

export const sealPassword = (sealer: Sealer, certificateUuid: string, password: Secret): Uint8Array =>
  sealer.seal(Buffer.from(password.reveal(), 'utf8'), purposeOf(certificateUuid));

export const openPassword = (sealer: Sealer, certificateUuid: string, sealed: Uint8Array): Secret =>
  new Secret(Buffer.from(sealer.open(sealed, purposeOf(certificateUuid))).toString('utf8'));

/** A sealed password can be opened only for the certificate that is requested with it. */
const purposeOf = (certificateUuid: string): string => `password of the end entity of certificate ${certificateUuid}`;

export const endEntityPasswordColumn: SealedColumn = {
  table: 'certificate_end_entity',
  key: 'certificate_uuid',
  keyType: 'uuid',
  column: 'sealed_password',
  form: 'bytes',
  purpose: ({ certificate_uuid: uuid = '' }) => purposeOf(uuid),
};
