// Converts tokens to the format of the connector interface.
import { metadataAttribute } from '@signetry/connector-sdk';
import type { ProviderTokenInstanceDto } from '@signetry/contract';
import { metadataUuid } from '../attributes/attribute-uuids.ts';
import type { TokenRow } from './token-store.ts';

/** Names of a token's metadata attributes. */
export const TOKEN_METADATA = { staysActive: 'meta_staysActive', allowsImport: 'meta_allowsImport' } as const;

export const presentToken = (row: TokenRow): ProviderTokenInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  metadata: [
    metadataAttribute({
      uuid: metadataUuid(1),
      name: TOKEN_METADATA.staysActive,
      label: 'Stays active across restarts',
      contentType: 'boolean',
      content: [row.stays_active],
      overwrite: true,
    }),
    metadataAttribute({
      uuid: metadataUuid(2),
      name: TOKEN_METADATA.allowsImport,
      label: 'Allows key import',
      contentType: 'boolean',
      content: [row.allows_import],
      overwrite: true,
    }),
  ],
});
