// Metadata of key store entries, which is sent back to the connector when an entry is to be removed.
import { metadataAttribute } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';
import { metadataUuid } from '../attributes/attribute-uuids.ts';
import { certificateMetadata } from '../locations/location-metadata.ts';

export const KEY_STORE_METADATA = {
  alias: 'keystore.alias',
  containsKey: 'keystore.containsKey',
} as const;

export interface EntryFacts {
  readonly alias: string;
  readonly withKey: boolean;
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
}

export const entryMetadata = ({ alias, withKey, certificate, chain }: EntryFacts): MetadataAttribute[] => [
  metadataAttribute({
    uuid: metadataUuid(20),
    name: KEY_STORE_METADATA.alias,
    label: 'Alias',
    contentType: 'string',
    content: [alias],
    overwrite: true,
  }),
  metadataAttribute({
    uuid: metadataUuid(21),
    name: KEY_STORE_METADATA.containsKey,
    label: 'Has key',
    contentType: 'boolean',
    content: [withKey],
    overwrite: true,
  }),
  ...certificateMetadata(certificate, chain),
];
