// Runs a log discovery as a job in which each tile is one step. Precertificates are reported at the end, since their
// certificates may appear later in the log.
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { lookup } from 'node:dns/promises';
import { rejectIf, rejected, type ConnectorContext } from '@signetry/connector-sdk';
import type {
  DiscoveryOutcome,
  Counts,
  CreateKind,
  DiscoveryJob,
  DiscoveryStep,
  SeenCertificate,
} from '@signetry/connector-sdk/discovery';
import { logAttributes, readLogSpec, type LogSpec } from '../attributes/log-attributes.ts';
import { logKeyOf, readCheckpoint } from '../log/checkpoint.ts';
import { LogClient } from '../log/log-client.ts';
import { LogError } from '../log/log-error.ts';
import { readRange, type LoggedCertificate, type ReadTile } from '../log/read-log.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { TrustedTree, type TreeHead } from '../log/trusted-tree.ts';
import { certificateMetadata, discoveryMetadata } from '../present-discovery.ts';
import type { LogCheckpoint, Sighting } from './log-checkpoint.ts';
import {
  addFoundEntries,
  findLargest,
  findPosition,
  findPending,
  removeFoundEntries,
  savePosition,
} from './log-store.ts';

type Job = DiscoveryJob<LogSpec, LogCheckpoint, Sighting>;
type StartedCheckpoint = LogCheckpoint & Required<Pick<LogCheckpoint, 'log'>>;

export const readLogs: CreateKind<LogSpec, LogCheckpoint, Sighting> = (context) => ({
  attributes: () => logAttributes(),
  async accept(attributes) {
    const wish = readLogSpec(attributes);
    await rejectForbidden(context, wish);
    return { wish, checkpoint: { from: 0, next: 0, told: -1 } };
  },
  run: (job) => run(context, job),
  metadata: discoveryMetadata,
  certificateMetadata,
});

type Resolve = NonNullable<ConnectorContext['resolveHost']>;

/**
 * Applies the platform's rules for outgoing connections. If the connector runs on its own port, the rules for
 * discoveries apply instead.
 */
function resolverOf({ resolveHost, egress }: ConnectorContext): Resolve {
  if (resolveHost) return (host, port) => resolveHost(host, port);
  if (!egress) throw rejected('The host of this connector does not allow it to reach any address.');
  return async (host, port) => {
    const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
    for (const { address } of addresses) egress.assertAddress(host, { address, port });
    return addresses;
  };
}

/** Rejects forbidden IP addresses immediately; host names are checked when they are resolved. */
async function rejectForbidden(context: ConnectorContext, { url }: LogSpec): Promise<void> {
  const resolve = resolverOf(context);
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return;
  try {
    await resolve(host, Number(port) || (protocol === 'https:' ? 443 : 80));
  } catch (error) {
    rejectIf([`Log: ${error instanceof Error ? error.message : 'connections to this log are not allowed.'}`]);
  }
}

async function run(context: ConnectorContext, job: Job): Promise<DiscoveryOutcome> {
  const { wish, signal } = job;
  const { url, parallel, ratePerSecond, timeoutSeconds } = wish;
  const resolve = resolverOf(context);
  const client = new LogClient({ url, parallel, ratePerSecond, timeoutMs: timeoutSeconds * 1000, signal, resolve });
  try {
    const begun = await startReading(context, job, client);
    const { next, interruption } = await read(job, { ...begun, client });
    return await conclude(context, job, { ...begun, next, interruption });
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    await job.stored();
    return { status: 'failed', reason: error.message, write: (tx) => removeFoundEntries(tx, job.uuid) };
  } finally {
    client.close();
  }
}

interface ReadStart {
  readonly state: StartedCheckpoint;
  readonly tree: TrustedTree;
  /** Number of steps completed before the first tile. */
  readonly steps: number;
}

/** Determines and stores the tree to read. */
async function startReading({ storage }: ConnectorContext, job: Job, client: LogClient): Promise<ReadStart> {
  const { wish, checkpoint } = job;
  const treeOf = (head: TreeHead) => new TrustedTree(head, (tile) => client.tile(tile));
  if (checkpoint.log) return { state: { ...checkpoint, log: checkpoint.log }, tree: treeOf(checkpoint.log), steps: 0 };
  const key = wish.key === undefined ? undefined : logKeyOf(Buffer.from(wish.key, 'base64'));
  const log = readCheckpoint(await client.checkpoint(), key);
  const tree = treeOf(log);
  const past = await findLargest(storage, wish.url);
  if (past) await tree.assertGrownFrom(past);
  const last = wish.start === 'lastTime' ? await findPosition(storage, wish) : undefined;
  const from = wish.start === 'latest' ? Math.max(0, log.size - wish.latest) : (last?.nextEntry ?? 0);
  const state: StartedCheckpoint = { log, from, next: from, told: -1 };
  job.done(0, { checkpoint: state, counts: {}, certificates: [] });
  return { state, tree, steps: 1 };
}

/** Reads until all entries are read or the log becomes unavailable; throws if the log contradicts itself. */
async function read(
  job: Job,
  { state, tree, steps, client }: ReadStart & { readonly client: LogClient },
): Promise<{ readonly next: number; readonly interruption?: string }> {
  const { wish, signal } = job;
  const { log: head, next: from } = state;
  try {
    await readRange(
      { client, tree, head, domains: wish.domains, withIssuers: wish.withIssuers },
      {
        from,
        to: head.size,
        parallel: wish.parallel,
        signal,
        room: (number) => job.room(steps + number),
        onTile: (number, next, tile) => job.done(steps + number, stepOf(job, { ...state, next }, tile)),
      },
    );
    return { next: head.size };
  } catch (error) {
    if (!(error instanceof LogError) || error.kind !== 'unavailable') throw error;
    const tiles = (await job.cut()) - steps;
    const next = tiles === 0 ? from : Math.min(head.size, (Math.floor(from / TILE_WIDTH) + tiles) * TILE_WIDTH);
    return { next, interruption: error.message };
  }
}

function stepOf(
  { uuid, wish: { url } }: Job,
  checkpoint: LogCheckpoint,
  { entries, found, unreadable }: ReadTile,
): DiscoveryStep<LogCheckpoint, Sighting> {
  const sightingOf = ({ index, timestampMs, kind }: LoggedCertificate): Sighting => ({
    log: url,
    index,
    timestampMs,
    kind,
  });
  const met = found.map((each) => ({
    identity: each.identity,
    entry: each.index,
    waiting: each.kind === 'precertificate' ? { der: each.der, sighting: sightingOf(each) } : undefined,
  }));
  const certificates = found.flatMap((each): SeenCertificate<Sighting>[] => [
    ...(each.kind === 'certificate' ? [toSeenCertificate(each.der, sightingOf(each))] : []),
    ...each.issuers.map(({ fingerprint, der }) => ({
      fingerprint,
      der,
      sighting: { ...sightingOf(each), kind: 'issuer' as const },
    })),
  ]);
  return {
    checkpoint,
    counts: { entries, matching: found.length, unreadable: unreadable.length },
    certificates,
    problems: unreadable,
    octets: met.reduce((sum, { waiting }) => sum + (waiting?.der.length ?? 0) + 200, 0),
    write: (tx) => addFoundEntries(tx, uuid, met),
  };
}

const toSeenCertificate = (der: Uint8Array, sighting: Sighting): SeenCertificate<Sighting> => ({
  fingerprint: createHash('sha256').update(der).digest('hex'),
  der,
  sighting,
});

const WAITING_AT_ONCE = 100;

async function conclude(
  { storage }: ConnectorContext,
  job: Job,
  { state, next, interruption }: ReadStart & { readonly next: number; readonly interruption?: string | undefined },
): Promise<DiscoveryOutcome> {
  const { uuid, wish, signal } = job;
  let number = await job.cut();
  for (let told = state.told; ;) {
    signal.throwIfAborted();
    const waiting = await findPending(storage, uuid, { behind: told, limit: WAITING_AT_ONCE });
    const last = waiting.at(-1);
    if (!last) break;
    told = last.entry;
    job.done(number++, {
      checkpoint: { ...state, next, told },
      counts: { precertificates: waiting.length },
      certificates: waiting.map(({ precertificate, sighting }) => toSeenCertificate(precertificate, sighting)),
    });
    await job.stored();
  }
  const counts = await job.stored();
  const { size, root } = state.log;
  return {
    status: interruption === undefined ? 'completed' : 'warning',
    reason: reasonOf(counts, { next, size, interruption }),
    async write(tx) {
      await removeFoundEntries(tx, uuid);
      await savePosition(tx, wish, { size, root, nextEntry: next });
    },
  };
}

function reasonOf(
  { unreadable = 0 }: Counts,
  { next, size, interruption }: {
    readonly next: number;
    readonly size: number;
    readonly interruption: string | undefined;
  }, // prettier-ignore
): string | null {
  const reasons = [
    ...(interruption === undefined
      ? []
      : [`${interruption} Entries ${next} to ${size - 1} were not read; the next discovery continues there.`]),
    ...(unreadable > 0 ? [`Unreadable entries: ${unreadable}.`] : []),
  ];
  return reasons.length === 0 ? null : reasons.join(' ');
}
