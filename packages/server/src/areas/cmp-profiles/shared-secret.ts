// Seals shared secrets. The platform must store them because it needs them to compute MACs.
import { Secret } from '../../kernel/secret.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { CmpProfileRow } from './tables.ts';

/** Returns the sealed secret in Base64. */
export const sealSharedSecret = (sealer: Sealer, uuid: string, secret: string): string =>
  Buffer.from(sealer.seal(Buffer.from(secret), purposeOf(uuid))).toString('base64');

export const openSharedSecret = (
  sealer: Sealer,
  { uuid, sealed_shared_secret: sealed }: Pick<CmpProfileRow, 'uuid' | 'sealed_shared_secret'>,
): Secret | undefined =>
  sealed === null
    ? undefined
    : new Secret(Buffer.from(sealer.open(Buffer.from(sealed, 'base64'), purposeOf(uuid))).toString());

/** A sealed secret can be opened only for the row it was created for. */
const purposeOf = (uuid: string): string => `cmp shared secret ${uuid}`;

export const sharedSecretColumn: SealedColumn = {
  table: 'cmp_profile',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_shared_secret',
  form: 'base64',
  purpose: ({ uuid = '' }) => purposeOf(uuid),
};
