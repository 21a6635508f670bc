// Rules of discoveries: when the provider is asked again, how long it may fail, and how a discovery ends. Pure.
import { createHash } from 'node:crypto';
import type { DiscoveryStatus, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { FailureKind } from '../connectors/index.ts';
import type { DiscoveryRow } from './tables.ts';

/** Results of a page, as providers are used to being asked. */
export const PAGE_SIZE = 100;
/** Pages of a transaction. */
export const PAGES_OF_SET = 10;
/** Results that were read already are not asked for again after a crash; those of this many pages may be. */
export const PAGES_AT_ONCE = 5;

export interface DiscoveryLimits {
  /** A discovery ends after this time, whatever its provider does. */
  readonly deadlineMs: number;
  /** A provider that cannot be reached for this long has failed. */
  readonly outageMs: number;
}

const HOUR_MS = 3_600_000;
export const defaultLimits: DiscoveryLimits = { deadlineMs: 6 * HOUR_MS, outageMs: 10 * 60_000 };

const FIRST_LOOK_MS = 250;
const LATER_LOOK_MS = 5_000;
/** Short searches are seen to end soon, long ones are not disturbed. */
export const lookDelayMs = (looks: number): number => Math.min(LATER_LOOK_MS, FIRST_LOOK_MS * 1.5 ** looks);

const FIRST_RETRY_MS = 1_000;
const LATER_RETRY_MS = 30_000;
export const retryDelayMs = (failures: number): number => Math.min(LATER_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);

/** Answers that are errors, or no answers of the interface, are asked for this often. */
const MAX_BAD_ANSWERS = 4;

/** The first failure in a row has the number 1. */
export interface FailedCall {
  readonly kind: FailureKind;
  readonly failures: number;
  readonly silentMs: number;
}

/** Is it of no use to ask again? */
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

/** Results that a page should have. */
export const expectedOn = (
  page: number,
  { announced, page_size: size }: Pick<DiscoveryRow, 'announced' | 'page_size'>,
) => Math.max(0, Math.min(size, announced - (page - 1) * size));

export interface Ending {
  readonly status: Extract<DiscoveryStatus, 'completed' | 'failed' | 'warning'>;
  readonly message: string | null;
}

/** How a discovery ends whose pages were all read. */
export function endingOf(
  row: Pick<DiscoveryRow, 'connector_status' | 'announced' | 'results_read' | 'refused' | 'warning'>,
): Ending {
  const taken = `${row.results_read - row.refused} of ${row.announced} results were taken in`;
  if (row.connector_status === 'failed')
    return { status: 'failed', message: `The provider reports that it failed; ${taken}.` };
  const reasons = [
    row.warning,
    row.connector_status === 'warning' ? 'The provider reports a warning; its metadata may tell why.' : null,
    row.warning === null && row.results_read < row.announced
      ? `The provider announced ${row.announced} results and gave ${row.results_read}.`
      : null,
    row.refused > 0 ? `${row.refused} results could not be read; the findings tell why.` : null,
  ].filter((reason) => reason !== null);
  return reasons.length > 0
    ? { status: 'warning', message: reasons.join(' ') }
    : { status: 'completed', message: null };
}

/** How the run of a scheduled job ends that made the discovery. */
export const runEndOf = ({ status, message, found, newly_found: added }: EndedDiscovery) => ({
  status: status === 'failed' ? ('failed' as const) : ('succeeded' as const),
  message: message ?? `Certificates found: ${found}. New to the inventory: ${added}.`,
});

type EndedDiscovery = Pick<DiscoveryRow, 'status' | 'message' | 'found' | 'newly_found'>;

/** Discoveries of a job have its name and the time, in UTC. */
export const nameAt = (name: string, at: Date): string => `${name}_${at.toISOString().slice(0, 19)}Z`;

/** What follows the name, at most. */
export const TIME_LENGTH = '_2026-11-23T02:00:00.000Z'.length;

/** Has the provider finished? One that reports `processing` is at work. */
export const isProviderDone = (status: DiscoveryStatus): boolean => status !== 'inProgress' && status !== 'processing';

/** What two discoveries have alike that asked the same connector for the same; secrets are left out before. */
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

/** What metadata says, as a number that can be summed up over results in any order. */
export function digestOfMetadata(metadata: readonly MetadataAttribute[]): bigint {
  if (metadata.length === 0) return 0n;
  const said = metadata
    .map(({ name, contentType, content }) =>
      JSON.stringify([name, contentType, (content ?? []).map(({ data }) => data)]),
    )
    .toSorted();
  return createHash('sha256').update(said.join('\n')).digest().readBigInt64BE() >> 16n;
}
