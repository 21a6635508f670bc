// Rules of discoveries: polling and retries of the provider, how long it can fail, and the outcome of a discovery.
// Pure.
import { createHash } from 'node:crypto';
import type { DiscoveryStatus, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { FailureKind } from '../connectors/index.ts';
import type { DiscoveryRow } from './tables.ts';

/** Results per page; providers commonly use this page size. */
export const PAGE_SIZE = 100;
/** Pages per transaction. */
export const PAGES_PER_SET = 10;
/** Pages fetched in parallel. After a crash, only results of this many pages may be requested again. */
export const CONCURRENT_PAGES = 5;

export interface DiscoveryLimits {
  /** Maximum duration of a discovery, regardless of how its provider behaves. */
  readonly deadlineMs: number;
  /** How long a provider can be unreachable before the discovery fails. */
  readonly outageMs: number;
}

const HOUR_MS = 3_600_000;
export const defaultLimits: DiscoveryLimits = { deadlineMs: 6 * HOUR_MS, outageMs: 10 * 60_000 };

const FIRST_LOOK_MS = 250;
const LATER_LOOK_MS = 5_000;
/** Polls quickly at first, so that short searches finish without delay, and slowly later. */
export const pollDelayMs = (looks: number): number => Math.min(LATER_LOOK_MS, FIRST_LOOK_MS * 1.5 ** looks);

const FIRST_RETRY_MS = 1_000;
const LATER_RETRY_MS = 30_000;
export const retryDelayMs = (failures: number): number => Math.min(LATER_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);

/** Maximum number of consecutive responses that are errors or do not match the API. */
const MAX_BAD_ANSWERS = 4;

/** `failures` counts consecutive failures, including this one. */
export interface FailedCall {
  readonly kind: FailureKind;
  readonly failures: number;
  readonly silentMs: number;
}

/** Returns whether a retry is pointless. */
export function isFinal({ kind, failures, silentMs }: FailedCall, { outageMs }: DiscoveryLimits): boolean {
  switch (kind) {
    case 'unreachable':
    case 'unavailable':
      return silentMs >= outageMs;
    case 'failed':
      return failures >= MAX_BAD_ANSWERS;
    default:
      return true;
  }
}

export const pagesOf = (announced: number, pageSize: number): number => Math.ceil(announced / pageSize);

/** Returns the expected number of results on a page. */
export const expectedOn = (
  page: number,
  { announced, page_size: size }: Pick<DiscoveryRow, 'announced' | 'page_size'>,
) => Math.max(0, Math.min(size, announced - (page - 1) * size));

export interface Ending {
  readonly status: Extract<DiscoveryStatus, 'completed' | 'failed' | 'warning'>;
  readonly message: string | null;
}

/** Names of metadata in which providers give reasons. */
const REASON_NAME = /reason|warn|error|fail|problem|message/i;
const MAX_REASON_CHARACTERS = 500;

/** Returns the reason for a provider's status from its metadata, in quotation marks; empty if there is none. */
export function reasonIn(metadata: readonly MetadataAttribute[]): string {
  const texts = metadata
    .filter(({ name, contentType }) => REASON_NAME.test(name) && (contentType === 'string' || contentType === 'text'))
    .flatMap(({ content }) => (content ?? []).map(({ data }) => String(data).replaceAll(/\s+/g, ' ').trim()))
    .filter((text) => text !== '');
  const reason = [...new Set(texts)].join('; ');
  const shown = reason.length > MAX_REASON_CHARACTERS ? `${reason.slice(0, MAX_REASON_CHARACTERS)}…` : reason;
  return shown === '' ? '' : `"${shown}"`;
}

/**
 * Returns the outcome of a discovery after all its pages have been read. `reason` is the provider's reason for its
 * status, empty if unknown.
 */
export function endingOf(
  row: Pick<DiscoveryRow, 'connector_status' | 'announced' | 'results_read' | 'refused' | 'warning'>,
  reason = '',
): Ending {
  const given = reason === '' ? '' : `: ${reason}`;
  const taken = `${row.results_read - row.refused} of ${row.announced} results were imported`;
  if (row.connector_status === 'failed')
    return { status: 'failed', message: `The provider reported a failure${given}; ${taken}.` };
  const reasons = [
    row.warning,
    row.connector_status === 'warning'
      ? `The provider reported a warning${given || ', without a reason; see its metadata'}.`
      : null,
    row.warning === null && row.results_read < row.announced
      ? `The provider reported ${row.announced} results but returned ${row.results_read}.`
      : null,
    row.refused > 0 ? `${row.refused} results could not be read; see the findings.` : null,
  ].filter((reason) => reason !== null);
  return reasons.length > 0
    ? { status: 'warning', message: reasons.join(' ') }
    : { status: 'completed', message: null };
}

/** Returns the outcome of the scheduled job run that created the discovery. */
export const runOutcomeOf = ({ status, message, found, newly_found: added }: EndedDiscovery) => ({
  status: status === 'failed' ? ('failed' as const) : ('succeeded' as const),
  message: message ?? `Certificates found: ${found}. New to the inventory: ${added}.`,
});

type EndedDiscovery = Pick<DiscoveryRow, 'status' | 'message' | 'found' | 'newly_found'>;

/** Returns the name of a discovery created by a job: the configured name followed by the UTC time. */
export const nameAt = (name: string, at: Date): string => `${name}_${at.toISOString().slice(0, 19)}Z`;

/** Maximum length of the suffix. */
export const TIME_LENGTH = '_2026-11-23T02:00:00.000Z'.length;

/** Returns whether the provider has finished; it is still working if it reports `processing`. */
/** Statuses that are unknown here, such as "queued", do not end a discovery. */
export const isProviderDone = (status: DiscoveryStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'warning';

/**
 * Returns a digest that is the same for discoveries with the same connector and the same request. The caller must
 * remove secrets first.
 */
export function digestOfRequest(asked: {
  readonly connectorUuid: string;
  readonly kind: string;
  readonly attributes: readonly RequestAttributeDto[];
}): string {
  const attributes = asked.attributes
    .map(({ name, content }) => [name, content.map(({ data }) => data)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([asked.connectorUuid.toLowerCase(), asked.kind, attributes]))
    .digest('hex');
}

/** Returns a digest of the metadata as a number, so that digests of multiple results can be added in any order. */
export function digestOfMetadata(metadata: readonly MetadataAttribute[]): bigint {
  if (metadata.length === 0) return 0n;
  const said = metadata
    .map(({ name, contentType, content }) =>
      JSON.stringify([name, contentType, (content ?? []).map(({ data }) => data)]),
    )
    .toSorted();
  return createHash('sha256').update(said.join('\n')).digest().readBigInt64BE() >> 16n;
}
