// Runs discoveries: calls the provider, waits until it has finished, and imports its results set by set. Any node can
// take work that is not leased. Imported sets persist, so a different node, or the same one after a restart, continues
// after the last page. Every discovery ends with a reason, however its provider behaves.
import type { DiscoveryProviderDto } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { isAppError, problemsOf } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { findOutage } from '../../platform/database/database-errors.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { callFailureOf } from '../connectors/index.ts';
import type { Scheduler } from '../scheduler/index.ts';
import {
  isFinal,
  isProviderDone,
  endingOf,
  pollDelayMs,
  pagesOf,
  reasonIn,
  retryDelayMs,
  runOutcomeOf,
  type DiscoveryLimits,
  type Ending,
} from './run-rules.ts';
import { factsOfDiscovery } from './events.ts';
import { valueSet, type Provider } from './provider.ts';
import { fetchSet, UnusablePages, writeSet, type PageParts } from './read-pages.ts';
import * as runs from './store-runs.ts';
import type { DiscoveryRow } from './tables.ts';

/** Lease duration: if a node stops renewing the lease, a different node takes over after this time. */
const LEASE_S = 15;
const RENEWAL_MS = 4_000;
/** How often a node looks for work left by other nodes. */
const PERIOD_MS = 1_000;
/** Maximum number of concurrent discoveries per node. */
const MAX_AT_ONCE = 4;
/** Maximum number of consecutive internal errors; each is logged. */
const MAX_FAULTS = 8;

export interface RunParts extends PageParts {
  readonly provider: Provider;
  readonly scheduler: Pick<Scheduler, 'endRunsOf'>;
  readonly limits: DiscoveryLimits;
}

export type Runs = ReturnType<typeof createRuns>;

interface Work extends RunParts {
  readonly lease: runs.Lease;
  readonly context: RequestContext;
  /** The discovery as last written. */
  readonly last: { row: DiscoveryRow };
}

export function createRuns(parts: RunParts) {
  const { database, log } = parts.platform;
  const stopping = new AbortController();
  const working = new Map<string, Promise<void>>();

  /** Starts one discovery, if one is due. */
  async function startNext(): Promise<boolean> {
    if (working.size >= MAX_AT_ONCE || stopping.signal.aborted) return false;
    const lease = { uuid: newUuid(), leaseS: LEASE_S };
    const row = await runs.leaseNext(database.executor, lease, [...working.keys()]);
    if (!row) return false;
    const done = processDiscovery(row, lease).finally(() => {
      working.delete(row.uuid);
      rounds.wake();
    });
    working.set(row.uuid, done);
    return true;
  }

  async function processDiscovery(row: DiscoveryRow, lease: runs.Lease): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const renewal = setInterval(() => {
      runs.renewLease(database.executor, lease).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn({ error, discovery: row.uuid }, 'cannot renew the lease of a discovery'),
      );
    }, RENEWAL_MS);
    const work: Work = { ...parts, lease, context: contextOf(row, signal), last: { row } };
    try {
      const delayMs = await continueDiscovery(work, row);
      if (delayMs !== undefined) setTimeout(rounds.wake, delayMs).unref();
    } catch (error) {
      if (!lost.signal.aborted)
        log.error({ error, discovery: row.uuid }, 'discovery aborted; another node resumes it when its lease expires');
    } finally {
      clearInterval(renewal);
    }
  }

  const rounds = createRounds({ log, what: 'looking for discoveries to run', periodMs: PERIOD_MS, run: startNext });

  return {
    start: () => rounds.start(),
    /** Call this after committing a change that adds work. */
    wake: rounds.wake,
    async stop(): Promise<void> {
      stopping.abort();
      await rounds.stop();
      await Promise.all(working.values());
    },
  };
}

/** Returns the delay in milliseconds until the next step; undefined if nothing remains to be done. */
async function continueDiscovery(work: Work, row: DiscoveryRow): Promise<number | undefined> {
  try {
    if (isOverdue(work, row)) return await end(work, overdueEnding(row));
    if (row.provider_uuid === null) return await begin(work, row);
    if (row.pages === null)
      return await recordProgress(work, row, await work.provider.page(row, 1, work.context.signal));
    return await readAll(work, row);
  } catch (error) {
    return recover(work, work.last.row, error);
  }
}

const isOverdue = ({ platform }: Work, row: DiscoveryRow): boolean => row.due_by <= platform.clock.now();

function overdueEnding(row: DiscoveryRow): Ending {
  const where =
    row.pages === null ? 'its provider had not finished' : `${row.pages_read} of ${row.pages} pages had been read`;
  return { status: 'warning', message: `The discovery reached its time limit: ${where}.` };
}

/**
 * If the platform cannot use the provider's response, ends the discovery: the provider is already searching, and a
 * second call would start a second search.
 */
async function begin(work: Work, row: DiscoveryRow): Promise<number | undefined> {
  const { platform, provider, context } = work;
  let answer: DiscoveryProviderDto;
  try {
    answer = await provider.begin(row, context.signal);
  } catch (error) {
    if (!callFailureOf(error)?.isAnswered) throw error;
    return end(work, { status: 'failed', message: `${reasonOf(error)} ${NOT_REPEATED}` });
  }
  try {
    return await recordProgress(work, row, answer);
  } catch (error) {
    // Once the provider's identifier is stored, only results are requested from the provider, and those requests can be
    // repeated.
    if (work.last.row.provider_uuid !== null || context.signal.aborted || findOutage(error)) throw error;
    platform.log.error({ error, discovery: row.uuid }, 'cannot store the response of a discovery provider');
    return end(work, { status: 'failed', message: `${reasonOf(error)} ${NOT_REPEATED}` });
  }
}

const NOT_REPEATED =
  'The provider has already started the search, so the request is not repeated. Fix the provider, then start the discovery again.';

/** Records the provider's progress. */
async function recordProgress(
  work: Work,
  row: DiscoveryRow,
  answer: DiscoveryProviderDto,
): Promise<number | undefined> {
  const { platform, attributes, lease } = work;
  if (row.provider_uuid === null && answer.uuid === '')
    return end(work, {
      status: 'failed',
      message: 'The provider did not start the discovery: it returned no identifier.',
    });
  const { status: said, totalCertificatesDiscovered: announced, meta: metadata } = answer;
  if (announced < 0)
    return end(work, {
      status: 'failed',
      message: `The provider reported ${announced} results; the number must not be negative.`,
    });
  const isDone = isProviderDone(said);
  const recorded = await platform.database.transaction(async (tx) => {
    const recorded = await runs.recordProgress(tx, lease.uuid, {
      provider_uuid: row.provider_uuid ?? answer.uuid,
      connector_status: said,
      status: isDone ? 'processing' : 'inProgress',
      announced,
      page_size: row.page_size,
      pages: isDone ? pagesOf(announced, row.page_size) : null,
    });
    const { object, scope } = valueSet(row);
    if (recorded && scope.connectorUuid !== null && metadata.length > 0)
      await attributes.appendMetadata(tx, [{ object, connectorUuid: scope.connectorUuid, metadata }]);
    return recorded;
  });
  if (!recorded) return forgetUnwanted(work, row, answer);
  work.last.row = recorded;
  if (isDone) return readAll(work, recorded);
  const delayMs = pollDelayMs(row.looks);
  await runs.releaseUntil(platform.database.executor, lease.uuid, { delayMs, changes: { looks: row.looks + 1 } });
  return delayMs;
}

/** The discovery was deleted or stopped before the provider responded, so its results would never be read. */
async function forgetUnwanted(work: Work, row: DiscoveryRow, { uuid }: DiscoveryProviderDto): Promise<undefined> {
  if (row.provider_uuid !== null || row.connector_uuid === null || uuid === '') return;
  await work.provider.forget(row.connector_uuid, uuid, work.context.signal);
}

/** Fetches the next set while the current one is being written. */
async function readAll(work: Work, begun: DiscoveryRow): Promise<number | undefined> {
  const { lease, platform } = work;
  const { context } = work;
  const fetchFrom = (row: DiscoveryRow, from: number) => {
    const set = fetchSet(work, row, { from, context });
    // Its rejection is handled when the set is awaited.
    set.catch(() => undefined);
    return set;
  };
  let row = begun;
  let next = fetchFrom(row, row.pages_read);
  let sinceMs = platform.clock.monotonicMs();
  while (row.pages_read < (row.pages ?? 0)) {
    if (isOverdue(work, row)) return end(work, overdueEnding(row));
    const set = await next;
    if (!set.isLast && set.to < (row.pages ?? 0)) next = fetchFrom(row, set.to);
    const now = platform.clock.monotonicMs();
    const written = await writeSet(work, row, { set, lease, context, workingMs: now - sinceMs });
    sinceMs = now;
    if (!written) return undefined;
    platform.faultPoint('discoveries.afterSet');
    work.last.row = row = written;
    if (set.isLast) break;
  }
  return end(work, endingOf(row, await reasonOfProvider(work, row)));
}

/** Returns the provider's reason for a warning or failure; a different node may have received the metadata. */
async function reasonOfProvider({ attributes }: Work, row: DiscoveryRow): Promise<string> {
  const { object, scope } = valueSet(row);
  if (row.connector_status === 'completed' || scope.connectorUuid === null) return '';
  return reasonIn(await attributes.readMetadataForConnector(object, scope.connectorUuid));
}

async function end(work: Work, ending: Ending): Promise<undefined> {
  const { platform, lease } = work;
  await platform.database.transaction(async (tx) => {
    const row = await runs.end(tx, { lease: lease.uuid }, { ...ending, at: platform.clock.now() });
    if (row) await reportFinished(tx, work, row);
  });
  platform.events.wake();
}

/** Notifies subscribers and the scheduled job that created the discovery. */
export async function reportFinished(
  tx: Executor,
  { platform: { events }, scheduler }: Pick<RunParts, 'scheduler'> & { readonly platform: Pick<Platform, 'events'> },
  row: DiscoveryRow,
): Promise<void> {
  await events.append(tx, 'discovery_finished', {
    ...factsOfDiscovery(row),
    discoveryStatus: row.status,
    totalCertificateDiscovered: row.found,
    discoveryMessage: row.message,
  });
  await scheduler.endRunsOf(tx, { resource: 'discoveries', uuids: [row.uuid], ...runOutcomeOf(row) });
}

/** Schedules a retry after a failed call or an internal error, or ends the discovery if failures persist. */
async function recover(work: Work, row: DiscoveryRow, error: unknown): Promise<number | undefined> {
  const { platform, lease, limits, context } = work;
  const { executor } = platform.database;
  const failure = callFailureOf(error);
  if (context.signal.aborted) {
    await runs.releaseUntil(executor, lease.uuid, { delayMs: 0, changes: {} });
    return undefined;
  }
  if (error instanceof UnusablePages) return end(work, { status: 'failed', message: error.message });
  const failures = row.failures + 1;
  const since = row.silent_since ?? platform.clock.now();
  const silentMs = platform.clock.now().getTime() - since.getTime();
  const isOver = failure
    ? isFinal({ kind: failure.kind, failures, silentMs }, limits)
    : (isAppError(error) && !isAppError(error, 'unavailable')) || failures >= MAX_FAULTS;
  if (isOver) return end(work, { status: 'failed', message: reasonOf(error) });
  if (!failure) platform.log.error({ error, discovery: row.uuid }, 'discovery interrupted by an error; will retry');
  const delayMs = retryDelayMs(row.failures);
  await runs.releaseUntil(executor, lease.uuid, { delayMs, changes: { failures, silent_since: since } });
  return delayMs;
}

const reasonOf = (error: unknown): string =>
  isAppError(error) ? problemsOf(error).join(' ') : "An internal error occurred; see the platform's log.";

/** Permissions were checked when the discovery was requested; it runs on behalf of the requester. */
function contextOf({ started_by_uuid, started_by }: DiscoveryRow, signal: AbortSignal): RequestContext {
  const context = coreContext(newUuid(), signal);
  if (started_by_uuid === null) return context;
  return { ...context, actor: { ...context.actor, type: 'user', userUuid: started_by_uuid, username: started_by } };
}
