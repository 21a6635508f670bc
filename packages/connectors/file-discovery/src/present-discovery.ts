// Metadata for discoveries and certificates. The names `discoverySource` and `reason` are shared with network
// discoveries.
import { metadataAttribute, type ContentValues } from '@signetry/connector-sdk';
import type { DiscoveryFacts, FoundFacts } from '@signetry/connector-sdk/discovery';
import type { AttributeContentType, MetadataAttribute } from '@signetry/contract';
import { certificateUuid, discoveryUuid } from './attributes/attribute-uuids.ts';
import type { FileSpec } from './attributes/file-attributes.ts';
import { failuresIn, type FileCheckpoint, type Sighting } from './jobs/file-checkpoint.ts';

export const CERTIFICATE_METADATA = {
  source: 'discoverySource',
  format: 'meta_fileFormat',
  alias: 'meta_alias',
  position: 'meta_positionInFile',
  key: 'meta_privateKey',
  mode: 'meta_permissions',
  times: 'meta_timesSeen',
} as const;

export const DISCOVERY_METADATA = {
  files: 'meta_files',
  found: 'meta_filesWithCertificates',
  nothing: 'meta_filesWithout',
  failed: 'meta_filesUnreadable',
  problems: 'meta_problems',
  reason: 'reason',
} as const;

export function discoveryMetadata({
  checkpoint: { files },
  counts,
  problems,
  reason,
}: DiscoveryFacts<FileSpec, FileCheckpoint>): MetadataAttribute[] {
  const NAMES = DISCOVERY_METADATA;
  const meta = <Type extends AttributeContentType>(
    number: number,
    facts: { name: string; label: string; contentType: Type; content: readonly ContentValues[Type][] },
  ): MetadataAttribute[] =>
    facts.content.length === 0 ? [] : [metadataAttribute({ uuid: discoveryUuid(number), overwrite: true, ...facts })];
  const count = (number: number, name: string, label: string, value: number) =>
    meta(number, { name, label, contentType: 'integer', content: [value] });
  const failed = failuresIn(counts).reduce((sum, [, each]) => sum + each, 0);
  return [
    ...count(1, NAMES.files, 'Files', files),
    ...count(2, NAMES.found, 'Files with certificates', counts['found'] ?? 0),
    ...count(3, NAMES.nothing, 'Files without certificates', counts['nothing'] ?? 0),
    ...count(4, NAMES.failed, 'Unreadable files', failed),
    ...meta(5, { name: NAMES.problems, label: 'Findings by file', contentType: 'text', content: problems }),
    ...meta(6, { name: NAMES.reason, label: 'Remarks', contentType: 'text', content: reason === null ? [] : [reason] }),
  ];
}

const KEYS: Readonly<Record<NonNullable<Sighting['key']>, string>> = {
  open: 'in the file, unprotected',
  protected: 'in the file, password-protected',
};

export function certificateMetadata({ sightings, seen }: FoundFacts<Sighting>): MetadataAttribute[] {
  const NAMES = CERTIFICATE_METADATA;
  const meta = <Type extends AttributeContentType>(
    number: number,
    facts: { name: string; label: string; contentType: Type; content: readonly ContentValues[Type][] },
  ): MetadataAttribute[] =>
    facts.content.length === 0 ? [] : [metadataAttribute({ uuid: certificateUuid(number), ...facts })];
  const texts = (number: number, name: string, label: string, of: (sighting: Sighting) => string | undefined) =>
    meta(number, {
      name,
      label,
      contentType: 'string',
      content: [...new Set(sightings.flatMap((each) => of(each) ?? []))],
    });
  return [
    ...texts(1, NAMES.source, 'Seen at', ({ path }) => path),
    ...texts(2, NAMES.format, 'File format', ({ format }) => format),
    ...texts(3, NAMES.alias, 'Entry name', ({ alias }) => alias),
    ...meta(4, {
      name: NAMES.position,
      label: 'Position in the file',
      contentType: 'integer',
      content: [...new Set(sightings.map(({ position }) => position))],
    }),
    ...texts(5, NAMES.key, 'Private key', ({ key }) => key && KEYS[key]),
    ...texts(6, NAMES.mode, 'Permissions of files with the key', ({ mode }) => mode),
    ...meta(7, { name: NAMES.times, label: 'Times seen', contentType: 'integer', content: [seen] }),
  ];
}
