// Log discovery form: log, domains, start and request limits.
import {
  dataAttribute,
  infoAttribute,
  inRange,
  readBoolean,
  readInteger,
  readString,
  rejectIf,
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

const INTRODUCTION = `Reads a certificate transparency log and imports the certificates with names at or below your domains.\n\n* Specify the **log** by its monitoring prefix, as published in log lists. It must serve the static API (c2sp.org/static-ct-api); logs that serve only RFC 6962 cannot be read.\n* If the log's **public key** is specified, the signature of its tree head is verified. Entries are always verified against the tree head.\n* A large log has hundreds of millions of entries. Begin with the latest entries, and later continue **where the last discovery ended**.`;

export type Start = 'lastTime' | 'beginning' | 'latest';
const STARTS: readonly { readonly reference: string; readonly data: Start }[] = [
  { reference: 'Where the last discovery ended, or from the beginning if there was none', data: 'lastTime' },
  { reference: 'From the beginning of the log', data: 'beginning' },
  { reference: 'With the latest entries', data: 'latest' },
];

const DEFAULTS = { latest: 1_000_000, parallel: 4, ratePerSecond: 20, timeoutSeconds: 30 };
const PACE = 'Request limits';
const MAX_PARALLEL = 32;

const logForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_ctStatic', label: 'Certificate transparency log', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: LOG.url,
    label: 'Log',
    description: 'Monitoring prefix, e.g. https://mon.log.example/2026h2.',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: LOG.key,
    label: 'Log public key',
    description:
      'In PEM or Base64, as published in log lists. If empty, the signature of the tree head is not verified.',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(4),
    name: LOG.domains,
    label: 'Domains',
    description: 'Separated by commas, e.g. example.com, example.org. Subdomains are included.',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(5),
    name: LOG.start,
    label: 'Begin',
    description: 'The last discovery is the most recently ended discovery of the same log and domains.',
    contentType: 'string',
    required: true,
    choices: STARTS,
  }),
  dataAttribute({
    uuid: uuid(6),
    name: LOG.latest,
    label: 'Latest entries',
    description: 'Number of entries to read when beginning with the latest ones.',
    contentType: 'integer',
    content: DEFAULTS.latest,
    constraints: [inRange({ from: 1, to: 1_000_000_000 })],
  }),
  dataAttribute({
    uuid: uuid(7),
    name: LOG.issuers,
    label: 'Include issuers',
    description: 'Also imports the CA certificates of the chains recorded in the log, so that chains are complete.',
    contentType: 'boolean',
    content: true,
  }),
  paceAttribute(8, {
    name: LOG.parallel,
    label: 'Concurrent requests',
    max: MAX_PARALLEL,
    initial: DEFAULTS.parallel,
  }),
  paceAttribute(9, {
    name: LOG.ratePerSecond,
    label: 'Requests per second',
    description:
      'Each request reads 256 entries. Log operators set limits; the rate is reduced if the log requests it.',
    max: 1_000,
    initial: DEFAULTS.ratePerSecond,
  }),
  paceAttribute(10, {
    name: LOG.timeoutSeconds,
    label: 'Request timeout (seconds)',
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

/** Requested discovery, as stored. */
export interface LogSpec {
  /** Without a trailing slash. */
  readonly url: string;
  /** Base64-encoded SubjectPublicKeyInfo. */
  readonly key?: string | undefined;
  readonly domains: readonly string[];
  readonly start: Start;
  readonly latest: number;
  readonly withIssuers: boolean;
  readonly parallel: number;
  readonly ratePerSecond: number;
  readonly timeoutSeconds: number;
}

/** Parses the request. Rejects invalid values with a list of all problems. */
export function readLogSpec(attributes: readonly RequestAttributeDto[]): LogSpec {
  rejectIf(validateAttributes(logForm, attributes));
  const url = logUrl(readString(attributes, LOG.url) ?? '');
  const key = logKey(readString(attributes, LOG.key));
  const { domains, problems } = parseDomains(readString(attributes, LOG.domains) ?? '');
  rejectIf([
    ...('problem' in url ? [`Log: ${url.problem}`] : []),
    ...('problem' in key ? [`Log public key: ${key.problem}`] : []),
    ...problems.map((problem) => `Domains: ${problem}`),
    ...(domains.length === 0 && problems.length === 0 ? ['Domains: at least one is required.'] : []),
  ]);
  const number = (name: keyof typeof DEFAULTS): number => readInteger(attributes, LOG[name]) ?? DEFAULTS[name];
  return {
    url: 'url' in url ? url.url : '',
    key: 'key' in key ? key.key : undefined,
    domains,
    // The value was already validated against the choices.
    start: (readString(attributes, LOG.start) ?? 'lastTime') as Start,
    latest: number('latest'),
    withIssuers: readBoolean(attributes, LOG.issuers) ?? true,
    parallel: number('parallel'),
    ratePerSecond: number('ratePerSecond'),
    timeoutSeconds: number('timeoutSeconds'),
  };
}

type Problem = { readonly problem: string };

/** Returns the monitoring prefix in its stored form: prefixes that differ only in a trailing slash are equivalent. */
function logUrl(text: string): { readonly url: string } | Problem {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { problem: `"${text}" must be a URL such as https://mon.log.example/2026h2.` };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return { problem: 'the URL must not have a user, a password, a query or a fragment.' };
  return { url: url.href.replace(/\/+$/, '') };
}

/** Returns the Base64-encoded key, if one is specified. */
function logKey(text: string | undefined): { readonly key: string | undefined } | Problem {
  if (text === undefined) return { key: undefined };
  try {
    const spki = readDerOrPem(text, PEM_LABELS.publicKey);
    if (logKeyOf(spki)) return { key: Buffer.from(spki).toString('base64') };
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
  }
  return { problem: 'a log key must be an ECDSA P-256 or RSA public key, in PEM or Base64.' };
}
