// Seals a profile's secrets. Both secrets must be recoverable: the application key is sent to Microsoft, and
// administrators enter the challenge password in device settings.
import { Secret } from '../../kernel/secret.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { ScepProfileRow } from './tables.ts';

type SecretColumn = 'sealed_challenge_password' | 'sealed_intune_application_key';

const PURPOSES: Readonly<Record<SecretColumn, string>> = {
  sealed_challenge_password: 'scep challenge password',
  sealed_intune_application_key: 'scep intune application key',
};

/** A sealed secret can be opened only for the row and column that it was created for. */
const purposeOf = (column: SecretColumn, uuid: string): string => `${PURPOSES[column]} ${uuid}`;

export interface SealedPosition {
  readonly uuid: string;
  readonly column: SecretColumn;
}

/** Returns the sealed secret in Base64. */
export const sealSecret = (sealer: Sealer, { uuid, column }: SealedPosition, secret: string): string =>
  Buffer.from(sealer.seal(Buffer.from(secret), purposeOf(column, uuid))).toString('base64');

export function openSecret(
  sealer: Sealer,
  row: Pick<ScepProfileRow, 'uuid' | SecretColumn>,
  column: SecretColumn,
): Secret | undefined {
  const sealed = row[column];
  if (sealed === null) return undefined;
  return new Secret(Buffer.from(sealer.open(Buffer.from(sealed, 'base64'), purposeOf(column, row.uuid))).toString());
}

const sealedColumn = (column: SecretColumn): SealedColumn => ({
  table: 'scep_profile',
  key: 'uuid',
  keyType: 'uuid',
  column,
  form: 'base64',
  purpose: ({ uuid = '' }) => purposeOf(column, uuid),
});

export const sealedColumns: readonly SealedColumn[] = [
  sealedColumn('sealed_challenge_password'),
  sealedColumn('sealed_intune_application_key'),
];
