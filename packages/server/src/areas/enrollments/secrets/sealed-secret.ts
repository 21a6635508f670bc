// Stores one-time secrets: sealed, because CMP needs them to compute MACs, and as a digest for lookups.
import { createHash } from 'node:crypto';
import { Secret } from '../../../kernel/secret.ts';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import type { SecretRow } from '../tables.ts';

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const sealSecret = (sealer: Sealer, uuid: string, secret: string): string =>
  Buffer.from(sealer.seal(Buffer.from(secret), purposeOf(uuid))).toString('base64');

export const openSecret = (sealer: Sealer, row: Pick<SecretRow, 'uuid' | 'sealed_secret'>): Secret =>
  new Secret(Buffer.from(sealer.open(Buffer.from(row.sealed_secret, 'base64'), purposeOf(row.uuid))).toString());

/** A sealed secret can be opened only for the row it was created for. */
const purposeOf = (uuid: string): string => `enrolment secret ${uuid}`;

export const secretColumn: SealedColumn = {
  table: 'enrollment_secret',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_secret',
  form: 'base64',
  purpose: ({ uuid = '' }) => purposeOf(uuid),
};
