// Discovery and certificate metadata. The names `discoverySource`, `totalUrls`, `successUrls`, `failedUrls` and
// `reason` are those of the established provider of this kind.
import { metadataAttribute, type ContentValues } from '@signetry/connector-sdk';
import type { DiscoveryFacts, FoundFacts } from '@signetry/connector-sdk/discovery';
import type { AttributeContentType, MetadataAttribute } from '@signetry/contract';
import { certificateUuid, discoveryUuid } from './attributes/attribute-uuids.ts';
import type { ScanSpec } from './attributes/scan-attributes.ts';
import type { ScanCheckpoint, Sighting } from './jobs/finding.ts';

export const CERTIFICATE_METADATA = {
  source: 'discoverySource',
  address: 'meta_address',
  serverName: 'meta_serverName',
  startTls: 'meta_startTls',
  protocol: 'meta_tlsVersion',
  cipher: 'meta_cipherSuite',
  position: 'meta_chainPosition',
  ocspResponse: 'meta_ocspResponse',
  endpoints: 'meta_timesSeen',
} as const;

export const DISCOVERY_METADATA = {
  total: 'totalUrls',
  served: 'successUrls',
  failed: 'failedUrls',
  reason: 'reason',
} as const;

export function discoveryMetadata({
  checkpoint: { next, total },
  counts,
  reason,
}: DiscoveryFacts<ScanSpec, ScanCheckpoint>): MetadataAttribute[] {
  const served = counts['served'] ?? 0;
  const count = (number: number, facts: { readonly name: string; readonly label: string; readonly value: number }) =>
    metadataAttribute({
      uuid: discoveryUuid(number),
      name: facts.name,
      label: facts.label,
      contentType: 'integer',
      content: [facts.value],
      overwrite: true,
    });
  return [
    count(1, { name: DISCOVERY_METADATA.total, label: 'Targets', value: total }),
    count(2, { name: DISCOVERY_METADATA.served, label: 'Targets with certificates', value: served }),
    count(3, { name: DISCOVERY_METADATA.failed, label: 'Targets without certificates', value: next - served }),
    ...(reason === null
      ? []
      : [
          metadataAttribute({
            uuid: discoveryUuid(4),
            name: DISCOVERY_METADATA.reason,
            label: 'Failure reasons',
            contentType: 'text',
            content: [reason],
            overwrite: true,
          }),
        ]),
  ];
}

export function certificateMetadata({ sightings, seen }: FoundFacts<Sighting>): MetadataAttribute[] {
  const NAMES = CERTIFICATE_METADATA;
  const texts = (of: (sighting: Sighting) => string | undefined): string[] => [
    ...new Set(sightings.flatMap((sighting) => of(sighting) ?? [])),
  ];
  const meta = <Type extends AttributeContentType>(
    number: number,
    facts: { name: string; label: string; contentType: Type; content: readonly ContentValues[Type][] },
  ): MetadataAttribute[] =>
    facts.content.length === 0 ? [] : [metadataAttribute({ uuid: certificateUuid(number), ...facts })];
  const text = (number: number, name: string, label: string, of: (sighting: Sighting) => string | undefined) =>
    meta(number, { name, label, contentType: 'string', content: texts(of) });
  return [
    ...text(1, NAMES.source, 'Seen at', ({ endpoint }) => endpoint),
    ...text(2, NAMES.address, 'Address', ({ address }) => address),
    ...text(3, NAMES.serverName, 'Server name (SNI)', ({ serverName }) => serverName),
    ...text(4, NAMES.startTls, 'STARTTLS protocol', ({ startTls }) => startTls),
    ...text(5, NAMES.protocol, 'TLS version', ({ protocol }) => protocol),
    ...text(6, NAMES.cipher, 'Cipher suite', ({ cipher }) => cipher),
    ...meta(7, {
      name: NAMES.position,
      label: 'Position in chain',
      contentType: 'integer',
      content: [...new Set(sightings.map(({ position }) => position))],
    }),
    ...meta(8, {
      name: NAMES.ocspResponse,
      label: 'Stapled OCSP response (Base64)',
      contentType: 'text',
      content: texts(({ ocspResponse }) => ocspResponse).slice(0, 1),
    }),
    ...meta(9, { name: NAMES.endpoints, label: 'Times seen', contentType: 'integer', content: [seen] }),
  ];
}
