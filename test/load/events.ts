// The change feed: readers of server-sent events, while events are raised at a fixed rate and then as fast as possible.
// Every reader must receive every event once and in order.
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@signetry/client';
import type { Database } from '@signetry/server/database';
import { inDatabaseOf } from './database-of-server.ts';
import { percentile, type BenchmarkReport, type Figure } from './report.ts';
import {
  cpuSeconds,
  cpuSecondsByProgram,
  peakMemoryMiB,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts';

const TICK_MS = 50;
const LOOK_MS = 5;
/** Sampling interval: readers measure the latency of every nth event. */
const SAMPLED = 20;
const LOST_AFTER_MS = 30_000;

export async function benchEvents(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const plan: Plan = {
    readers: Number(options.get('readers') ?? 20),
    perSecond: Number(options.get('rate') ?? 5_000),
    seconds: Number(options.get('seconds') ?? 15),
    core: Number(options.get('core') ?? 0),
  };
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const server = await startServerProcess({ directory, core: plan.core });
  try {
    return {
      name: `Change feed, ${plan.readers} readers`,
      figures: await inDatabaseOf(directory, (database) => measure(server, { database, plan })),
      notes: [
        `Platform and database on core ${plan.core}; readers and the event source share the other. Each reader received every event once and in order.`,
        'Latency is measured from before events are written to the outbox until a reader receives them. Discovery events have about 900 bytes.',
      ],
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Plan {
  readonly readers: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly core: number;
}

async function measure(
  server: ServerProcess,
  { database, plan }: { readonly database: Database; readonly plan: Plan },
): Promise<Figure[]> {
  const { pid } = server.ready;
  const { eventFeed } = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const { position } = await eventFeed.listEvents();
  const readers = Array.from({ length: plan.readers }, () => openReader(server, position));
  await Promise.all(readers.map(({ opened }) => opened));
  const raised = createRaiser(database);
  await raised.add(2_000); // Warms up code and query plans.
  await waitForAll(readers, await raised.placed());
  for (const { latencies } of readers) latencies.length = 0;

  const before = { all: cpuSeconds(pid), database: cpuSecondsByProgram(pid, 'postgres') };
  const paced = await timed(async () => {
    await raised.pace(plan);
    await waitForAll(readers, await raised.placed());
  });
  const cpu = { all: cpuSeconds(pid) - before.all, database: cpuSecondsByProgram(pid, 'postgres') - before.database };
  const latencies = readers.flatMap((reader) => reader.latencies);
  const count = plan.perSecond * plan.seconds;
  const burst = await timed(async () => {
    await raised.add(plan.perSecond * 4);
    await waitForAll(readers, await raised.placed());
  });
  for (const { close } of readers) close();
  return [
    { name: 'events per second to every reader', value: count / paced, unit: '/s', goal: `>= ${plan.perSecond}` },
    { name: 'latency, median', value: percentile(latencies, 0.5), unit: 'ms' },
    { name: 'latency, 99th percentile', value: percentile(latencies, 0.99), unit: 'ms' },
    { name: 'share of the core, platform', value: ((cpu.all - cpu.database) / paced) * 100, unit: '%' },
    { name: 'share of the core, database', value: (cpu.database / paced) * 100, unit: '%' },
    { name: 'burst, to every reader', value: (plan.perSecond * 4) / burst, unit: '/s' },
    { name: 'peak memory of the server process', value: peakMemoryMiB(pid), unit: 'MiB', goal: '<= 350' },
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

function createRaiser(database: Database) {
  const add = async (count: number): Promise<void> => void (await database.query(RAISE, [count, Date.now()]));
  return {
    add,
    /** Returns the last position once all events have one. */
    async placed(): Promise<number> {
      for (;;) {
        const [now] = await database.query<{ head: string; left: boolean }>(
          'SELECT position AS head, EXISTS (SELECT FROM event_outbox) AS left FROM event_log_head',
        );
        if (now?.left === false) return Number(now.head);
        await delay(LOOK_MS);
      }
    },
    /** Raises the same number of events per tick, even if a tick was late. */
    async pace({ perSecond, seconds }: Plan): Promise<void> {
      const began = performance.now();
      const inTick = (perSecond * TICK_MS) / 1_000;
      for (let tick = 0; tick < (seconds * 1_000) / TICK_MS; tick += 1) {
        await delay(Math.max(0, began + tick * TICK_MS - performance.now()));
        await add(inTick);
      }
    },
  };
}

const RAISE = `
  INSERT INTO event_outbox (event, payload)
  SELECT 'certificate_discovered', jsonb_build_object('discoveryUuid', gen_random_uuid(), 'discoveryName', 'nightly',
    'discoveryUserUuid', NULL, 'discoveryConnectorUuid', gen_random_uuid(), 'discoveryConnectorName', 'scan',
    'certificateUuid', gen_random_uuid(), 'discoveryCertificateUuid', gen_random_uuid(), 'fingerprint', md5(n::text) || md5(n::text),
    'serialNumber', md5(n::text), 'subjectDn', 'CN=web-' || n || '.prague.example, OU=web, O=Example Holding, C=CZ',
    'issuerDn', 'CN=Issuing CA 1, O=Example Holding, C=CZ', 'notBefore', now(), 'expiresAt', now(), 'atMs', $2::bigint)
  FROM generate_series(1, $1::int) n`;

interface Reader {
  /** Resolves when the first bytes arrive. */
  readonly opened: Promise<void>;
  position(): number;
  /** In milliseconds. */
  readonly latencies: number[];
  readonly close: () => void;
}

async function waitForAll(readers: readonly Reader[], position: number): Promise<void> {
  let lowest = 0;
  let movedMs = performance.now();
  for (;;) {
    const now = Math.min(...readers.map((reader) => reader.position()));
    if (now > lowest) movedMs = performance.now();
    lowest = now;
    if (lowest >= position) return;
    if (performance.now() - movedMs > LOST_AFTER_MS) throw new Error(`A reader is at ${lowest} of ${position}.`);
    await delay(LOOK_MS);
  }
}

const ID = Buffer.from('\nid: ');
const RAISED_AT = Buffer.from('"atMs":');
const LINE = 10;
const COMMA = 44;

/** Parses only the order and the time of events, because many readers share a processor. */
function openReader({ ready }: ServerProcess, from: number): Reader {
  const opened = Promise.withResolvers<void>();
  const latencies: number[] = [];
  let position = from;
  let rest: Buffer = Buffer.alloc(0);

  function consume(chunk: Buffer): void {
    const octets = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = octets.lastIndexOf('\n\n') + 1;
    for (let at = octets.indexOf(ID); at !== -1 && at < end; at = octets.indexOf(ID, at + 1)) {
      const id = numberAt(octets, at + ID.length, LINE);
      // A repeated position is a keep-alive.
      if (id !== position && id !== position + 1) throw new Error(`A reader received ${id} after ${position}.`);
      if (id === position + 1 && id % SAMPLED === 0)
        latencies.push(Date.now() - numberAt(octets, octets.indexOf(RAISED_AT, at) + RAISED_AT.length, COMMA));
      position = id;
    }
    rest = octets.subarray(Math.max(0, end));
  }

  const request: ClientRequest = get(
    `${ready.api}/x/v1/events/stream?after=${from}`,
    { headers: { authorization: `Bearer ${ready.token}`, accept: 'text/event-stream' } },
    (answer) => {
      if (answer.statusCode !== 200) opened.reject(new Error(`The stream returned status ${answer.statusCode}.`));
      answer.on('data', (chunk: Buffer) => {
        opened.resolve();
        consume(chunk);
      });
    },
  );
  request.on('error', opened.reject);
  return { opened: opened.promise, position: () => position, latencies, close: () => request.destroy() };
}

/** Parses the digits before the given byte. */
const numberAt = (octets: Buffer, start: number, end: number): number =>
  Number(octets.toString('latin1', start, octets.indexOf(end, start)));
