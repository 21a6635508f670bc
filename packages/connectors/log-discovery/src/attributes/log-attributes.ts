// The form of a discovery in a log: which one, whose names, from where on, and how much is asked of it at once.
import {
  dataAttribute,
  infoAttribute,
  inRange,
  readBoolean,
  readInteger,
  readString,
  refuseIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { PEM_LABELS, PkiError, readDerOrPem } from '@signetry/pki';
import { logKeyOf } from '../log/checkpoint.ts';
import { parseDomains } from '../log/domains.ts';
import { formUuid as uuid } from './attribute-uuids.ts';

export const LOG = {
  url: 'data_logUrl',
  key: 'data_logKey',
  domains: 'data_domains',
  start: 'data_start',
  latest: 'data_latestEntries',
  issuers: 'data_withIssuers',
  parallel: 'data_parallelRequests',
  ratePerSecond: 'data_ratePerSecond',
  timeoutSeconds: 'data_timeoutSeconds',
} as const;

const INTRODUCTION = `Reads a certificate transparency log and takes the certificates with names at or below your domains.

* The **log** is given by its monitoring prefix, as lists of logs have it; it must serve the static interface
  (c2sp.org/static-ct-api). Logs that serve RFC 6962 alone cannot be read.
* With the log's **public key** the signature of its tree head is checked; entries always are, against the tree head.
* A large log has hundreds of millions of entries. Begin with the latest ones; go on **from the last time**.`;

export type Start = 'lastTime' | 'beginning' | 'latest';
const STARTS: readonly { readonly reference: string; readonly data: Start }[] = [
  { reference: 'Where the last discovery ended; from the beginning when there was none', data: 'lastTime' },
  { reference: 'From the beginning of the log', data: 'beginning' },
  { reference: 'With the latest entries', data: 'latest' },
];

const DEFAULTS = { latest: 1_000_000, parallel: 4, ratePerSecond: 20, timeoutSeconds: 30 };
const PACE = 'Pace';
const MAX_PARALLEL = 32;

const logForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_ctStatic', label: 'Certificate transparency log', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: LOG.url,
    label: 'Log',
    description: 'Its monitoring prefix, e.g. https://mon.log.example/2026h2.',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: LOG.key,
    label: 'Public key of the log',
    description:
      'In PEM or Base64, as lists of logs have it. Without it, the signature of the tree head is not checked.',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(4),
    name: LOG.domains,
    label: 'Domains',
    description: 'Separated by commas, e.g. example.com, example.org. Names below them are found too.',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(5),
    name: LOG.start,
    label: 'Begin',
    description: 'The last discovery is the last one of the same log with the same domains that ended.',
    contentType: 'string',
    required: true,
    choices: STARTS,
  }),
  dataAttribute({
    uuid: uuid(6),
    name: LOG.latest,
    label: 'Latest entries',
    description: 'How many, where it begins with them.',
    contentType: 'integer',
    content: DEFAULTS.latest,
    constraints: [inRange({ from: 1, to: 1_000_000_000 })],
  }),
  dataAttribute({
    uuid: uuid(7),
    name: LOG.issuers,
    label: 'Issuers too',
    description:
      'Takes the CA certificates above what is found as well, as the log has them, so that chains are whole.',
    contentType: 'boolean',
    content: true,
  }),
  paceAttribute(8, {
    name: LOG.parallel,
    label: 'Requests at the same time',
    max: MAX_PARALLEL,
    initial: DEFAULTS.parallel,
  }),
  paceAttribute(9, {
    name: LOG.ratePerSecond,
    label: 'Requests in a second',
    description: 'Each reads 256 entries. Operators of logs have limits; a log that asks for less gets less.',
    max: 1_000,
    initial: DEFAULTS.ratePerSecond,
  }),
  paceAttribute(10, {
    name: LOG.timeoutSeconds,
    label: 'Time-out of a request in seconds',
    max: 300,
    initial: DEFAULTS.timeoutSeconds,
  }),
];

function paceAttribute(
  number: number,
  facts: { name: string; label: string; description?: string; max: number; initial: number },
): BaseAttributeDto {
  const { max, initial, ...named } = facts;
  return dataAttribute({
    uuid: uuid(number),
    ...named,
    group: PACE,
    contentType: 'integer',
    content: initial,
    constraints: [inRange({ from: 1, to: max })],
  });
}

export const logAttributes = (): BaseAttributeDto[] => [...logForm];

/** What was asked for, as it is kept. */
export interface LogWish {
  /** Without a slash at its end. */
  readonly url: string;
  /** Base64 of the SubjectPublicKeyInfo. */
  readonly key?: string | undefined;
  readonly domains: readonly string[];
  readonly start: Start;
  readonly latest: number;
  readonly withIssuers: boolean;
  readonly parallel: number;
  readonly ratePerSecond: number;
  readonly timeoutSeconds: number;
}

/** Refuses with everything that is wrong. */
export function readLogWish(attributes: readonly RequestAttributeDto[]): LogWish {
  refuseIf(validateAttributes(logForm, attributes));
  const url = logUrl(readString(attributes, LOG.url) ?? '');
  const key = logKey(readString(attributes, LOG.key));
  const { domains, problems } = parseDomains(readString(attributes, LOG.domains) ?? '');
  refuseIf([
    ...('problem' in url ? [`Log: ${url.problem}`] : []),
    ...('problem' in key ? [`Public key of the log: ${key.problem}`] : []),
    ...problems.map((problem) => `Domains: ${problem}`),
    ...(domains.length === 0 && problems.length === 0 ? ['Domains: there is none.'] : []),
  ]);
  const number = (name: keyof typeof DEFAULTS): number => readInteger(attributes, LOG[name]) ?? DEFAULTS[name];
  return {
    url: 'url' in url ? url.url : '',
    key: 'key' in key ? key.key : undefined,
    domains,
    start: (readString(attributes, LOG.start) ?? 'lastTime') as Start, // a choice, which was checked
    latest: number('latest'),
    withIssuers: readBoolean(attributes, LOG.issuers) ?? true,
    parallel: number('parallel'),
    ratePerSecond: number('ratePerSecond'),
    timeoutSeconds: number('timeoutSeconds'),
  };
}

type Problem = { readonly problem: string };

/** A monitoring prefix as it is kept: two that differ in nothing but a slash are the same. */
function logUrl(text: string): { readonly url: string } | Problem {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { problem: `"${text}" is no address such as https://mon.log.example/2026h2.` };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return { problem: 'the address has a user, a password, a query or a fragment; a monitoring prefix has none.' };
  return { url: url.href.replace(/\/+$/, '') };
}

/** Base64 of the key, where there is one. */
function logKey(text: string | undefined): { readonly key: string | undefined } | Problem {
  if (text === undefined) return { key: undefined };
  try {
    const spki = readDerOrPem(text, PEM_LABELS.publicKey);
    if (logKeyOf(spki)) return { key: Buffer.from(spki).toString('base64') };
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
  }
  return { problem: 'this is no key of a log, which is one for ECDSA with P-256 or for RSA, in PEM or Base64.' };
}
