// Metadata that the connector returns with a certificate.
import { metadataAttribute } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import { metadataUuid as uuid } from './attribute-uuids.ts';

export const certificateMetadata = (certificate: {
  readonly serialHex: string;
  readonly authorityName: string;
}): MetadataAttribute[] => [
  metadataAttribute({
    uuid: uuid(1),
    name: 'meta_softwareAuthoritySerial',
    label: 'Serial number assigned by the CA',
    contentType: 'string',
    content: [certificate.serialHex],
    overwrite: true,
  }),
  metadataAttribute({
    uuid: uuid(2),
    name: 'meta_softwareAuthority',
    label: 'Software CA',
    contentType: 'string',
    content: [certificate.authorityName],
    overwrite: true,
  }),
];
