// Sealing of MAC keys. They are stored because they are needed to compute HMACs.
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';

/** Returns the sealed key in Base64. */
export const sealMacKey = (sealer: Sealer, uuid: string, macKey: Uint8Array): string =>
  Buffer.from(sealer.seal(macKey, purposeOf(uuid))).toString('base64');

export const openMacKey = (
  sealer: Sealer,
  row: { readonly uuid: string; readonly sealed_mac_key: string },
): Uint8Array => sealer.open(Buffer.from(row.sealed_mac_key, 'base64'), purposeOf(row.uuid));

/** A sealed key can be opened only for the row it was created for. */
const purposeOf = (uuid: string): string => `acme external account key ${uuid}`;

export const eabKeyColumn: SealedColumn = {
  table: 'acme_eab_key',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_mac_key',
  form: 'base64',
  purpose: ({ uuid = '' }) => purposeOf(uuid),
};
