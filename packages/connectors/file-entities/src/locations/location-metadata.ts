// Metadata of certificates in locations, which is sent back to the connector when a certificate is to be removed.
import { createHash } from 'node:crypto';
import { metadataAttribute } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import { formatNameRfc4514, type Certificate } from '@signetry/pki';
import { metadataUuid } from '../attributes/attribute-uuids.ts';

export const METADATA = {
  fingerprint: 'meta_certificateFingerprint',
  chain: 'meta_chain',
  waitingKey: 'meta_waitingKey',
} as const;

export const fingerprintOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex');

const text = (facts: {
  number: number;
  name: string;
  label: string;
  content: readonly string[];
}): MetadataAttribute => {
  const { number, ...rest } = facts;
  return metadataAttribute({ uuid: metadataUuid(number), contentType: 'string', overwrite: true, ...rest });
};

export const certificateMetadata = (certificate: Certificate, chain: readonly Certificate[]): MetadataAttribute[] => [
  text({
    number: 10,
    name: METADATA.fingerprint,
    label: 'SHA-256 fingerprint',
    content: [fingerprintOf(certificate.der)],
  }),
  ...(chain.length === 0
    ? []
    : [
        text({
          number: 11,
          name: METADATA.chain,
          label: 'Chain',
          content: chain.map(({ subject }) => formatNameRfc4514(subject)),
        }),
      ]),
];

/** Returns metadata for pending keys: the SHA-256 of each SubjectPublicKeyInfo. */
export const pendingKeyMetadata = (spkis: readonly Uint8Array[]): MetadataAttribute =>
  text({ number: 12, name: METADATA.waitingKey, label: 'Pending key', content: spkis.map(fingerprintOf) });
