// Discovery and certificate metadata. The names `discoverySource` and `reason` are shared with network discoveries.
import { metadataAttribute, type ContentValues } from '@signetry/connector-sdk';
import type { DiscoveryFacts, FoundFacts } from '@signetry/connector-sdk/discovery';
import type { AttributeContentType, MetadataAttribute } from '@signetry/contract';
import { certificateUuid, discoveryUuid } from './attributes/attribute-uuids.ts';
import type { LogSpec } from './attributes/log-attributes.ts';
import type { LogCheckpoint, Sighting } from './jobs/log-checkpoint.ts';

export const CERTIFICATE_METADATA = {
  source: 'discoverySource',
  entry: 'meta_logEntry',
  loggedAt: 'meta_loggedAt',
  kind: 'meta_loggedAs',
  times: 'meta_timesSeen',
} as const;

export const DISCOVERY_METADATA = {
  log: 'meta_log',
  signature: 'meta_logSignature',
  treeSize: 'meta_treeSize',
  firstEntry: 'meta_firstEntry',
  read: 'meta_entriesRead',
  matching: 'meta_entriesMatching',
  precertificates: 'meta_precertificatesAlone',
  unreadable: 'meta_entriesUnreadable',
  problems: 'meta_problems',
  reason: 'reason',
} as const;

export function discoveryMetadata({
  checkpoint: { log, from },
  counts,
  problems,
  reason,
}: DiscoveryFacts<LogSpec, LogCheckpoint>): MetadataAttribute[] {
  const NAMES = DISCOVERY_METADATA;
  const meta = <Type extends AttributeContentType>(
    number: number,
    facts: { name: string; label: string; contentType: Type; content: readonly ContentValues[Type][] },
  ): MetadataAttribute[] =>
    facts.content.length === 0 ? [] : [metadataAttribute({ uuid: discoveryUuid(number), overwrite: true, ...facts })];
  const count = (number: number, name: string, label: string, value: number) =>
    meta(number, { name, label, contentType: 'integer', content: [value] });
  return [
    ...(log
      ? [
          ...meta(1, { name: NAMES.log, label: 'Log', contentType: 'string', content: [log.origin] }),
          ...meta(2, {
            name: NAMES.signature,
            label: 'Tree head signature',
            contentType: 'string',
            content: [
              log.signedAtMs === undefined
                ? 'not checked: no log key specified'
                : `valid, signed at ${new Date(log.signedAtMs).toISOString()}`,
            ],
          }),
          ...count(3, NAMES.treeSize, 'Log size (entries)', log.size),
          ...count(4, NAMES.firstEntry, 'First entry read', from),
        ]
      : []),
    ...count(5, NAMES.read, 'Entries read', counts['entries'] ?? 0),
    ...count(6, NAMES.matching, 'Matching entries', counts['matching'] ?? 0),
    ...count(7, NAMES.precertificates, 'Precertificates without certificate', counts['precertificates'] ?? 0),
    ...count(8, NAMES.unreadable, 'Unreadable entries', counts['unreadable'] ?? 0),
    ...meta(9, {
      name: NAMES.problems,
      label: 'Details of unreadable entries',
      contentType: 'text',
      content: problems,
    }),
    ...meta(10, {
      name: NAMES.reason,
      label: 'Remarks',
      contentType: 'text',
      content: reason === null ? [] : [reason],
    }),
  ];
}

const KINDS: Readonly<Record<Sighting['kind'], string>> = {
  certificate: 'certificate',
  precertificate: 'precertificate; its certificate is not among the entries that were read',
  issuer: 'issuer of a certificate',
};

export function certificateMetadata({ sightings, seen }: FoundFacts<Sighting>): MetadataAttribute[] {
  const NAMES = CERTIFICATE_METADATA;
  const meta = <Type extends AttributeContentType>(
    number: number,
    facts: { name: string; label: string; contentType: Type; content: readonly ContentValues[Type][] },
  ): MetadataAttribute => metadataAttribute({ uuid: certificateUuid(number), ...facts });
  const distinctValues = <Value>(of: (sighting: Sighting) => Value): Value[] => [...new Set(sightings.map(of))];
  return [
    meta(1, { name: NAMES.source, label: 'Seen at', contentType: 'string', content: distinctValues(({ log }) => log) }),
    meta(2, {
      name: NAMES.entry,
      label: 'Log entry',
      contentType: 'integer',
      content: distinctValues(({ index }) => index),
    }),
    meta(3, {
      name: NAMES.loggedAt,
      label: 'Logged at',
      contentType: 'datetime',
      content: distinctValues(({ timestampMs }) => timeText(timestampMs)),
    }),
    meta(4, {
      name: NAMES.kind,
      label: 'Logged as',
      contentType: 'string',
      content: distinctValues(({ kind }) => KINDS[kind]),
    }),
    meta(5, { name: NAMES.times, label: 'Times seen', contentType: 'integer', content: [seen] }),
  ];
}

/** Latest time that a `Date` can represent. A log can contain any number. */
const MAX_TIME_MS = 8.64e15;
const timeText = (timestampMs: number): string => new Date(Math.min(timestampMs, MAX_TIME_MS)).toISOString();
