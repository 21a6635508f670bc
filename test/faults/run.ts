// `npm run test:faults`: kills the platform at named points and at random under load, starts it again and checks from
// outside that nothing that was promised is lost. Options: --random=N --rounds=N --seed=N.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, openSocketDirectory } from '@signetry/server';
import { faultPointNames } from '../../packages/server/src/kernel/fault-points.ts';
import { startServerProcess, type ServerProcess } from '../load/server-process.ts';
import { checkDatabase, type Violation } from './check-database.ts';
import { checkInterface } from './check-interface.ts';
import { Evidence } from './evidence.ts';
import { connect, findProfile, runLoad, type Profile } from './load.ts';
import { missedFaults } from './planted.ts';

const option = (name: string, initial: number): number =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? initial);

const roundsPerPoint = option('rounds', 3);
/** Keeps the data directory, to look at what a violation left. */
const keepData = process.argv.includes('--keep');
const randomKills = option('random', 20);
const seed = option('seed', Date.now() % 100_000);

/** Longest time after a restart until everything undecided is settled. */
const SETTLE_TIMEOUT_MS = 60_000;
const LONGEST_RANDOM_RUN_MS = 1_500;
const POINT_TIMEOUT_MS = 20_000;

/** Small repeatable random numbers (mulberry32), so that a failing run can be repeated. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomNumbers(seed);
const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-'));
const evidence = new Evidence();
const violations: Violation[] = [];
let kills = 0;

/** Waits until no operation is open; the interface shows certificates, the tables also revocations under way. */
async function waitUntilSettled(database: Database): Promise<number> {
  const started = performance.now();
  for (;;) {
    const [row] = await database.query<{ open: number }>(
      `SELECT count(*) AS open FROM certificate_operation WHERE state IN ('pending', 'undecided')`,
    );
    if (row?.open === 0) return performance.now() - started;
    if (performance.now() - started > SETTLE_TIMEOUT_MS) {
      violations.push({
        invariant: 'I11',
        what: `${row?.open} operations are not settled after ${SETTLE_TIMEOUT_MS / 1000} s`,
      });
      return SETTLE_TIMEOUT_MS;
    }
    await delay(100);
  }
}

/** Load until the platform dies, by itself at a fault point or by our hand. */
async function runUntilDead(
  server: ServerProcess,
  profile: Profile,
  killAfterMs: number | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const dead = once(server.child, 'exit');
  const load = runLoad(connect(server.ready), { profile, evidence, signal: stop.signal });
  if (killAfterMs !== undefined) {
    await delay(killAfterMs);
    server.child.kill('SIGKILL');
  }
  const died = await Promise.race([dead.then(() => true), delay(POINT_TIMEOUT_MS, false)]);
  stop.abort();
  await load;
  if (!died) await server.stop();
  return died;
}

/** A first life without faults: authority, profile and OCSP responder are made in it. */
async function prepare(): Promise<Profile> {
  const server = await startServerProcess({ directory });
  const profile = await findProfile(connect(server.ready));
  const { database, close } = await openDatabase();
  while ((await database.query('SELECT FROM ocsp_responder WHERE certificate IS NOT NULL')).length === 0)
    await delay(100);
  await close();
  await server.stop();
  return profile;
}

async function openDatabase(): Promise<{ database: Database; close: () => Promise<void> }> {
  const root = join(directory, 'database');
  const socket = openSocketDirectory(join(root, 'run'));
  const password = readFileSync(join(root, 'password'), 'utf8').trim();
  const database = new Database({
    connection: { host: socket.path, port: 5432, user: 'signetry', password, database: 'signetry' },
    onError: () => undefined,
  });
  return {
    database,
    close: async () => {
      await database.close();
      socket.close();
    },
  };
}

async function checkEverything(label: string): Promise<void> {
  const server = await startServerProcess({ directory });
  const client = connect(server.ready);
  const profile = await findProfile(client);
  const { database, close } = await openDatabase();
  const settledMs = await waitUntilSettled(database);
  const found = [
    ...(await checkDatabase(database)),
    ...(await checkInterface({ client, http: server.ready.http, authorityUuid: profile.authorityUuid, evidence })),
  ];
  await close();
  await server.stop();
  violations.push(...found);
  console.log(
    `${label}: ${kills} kills, ${evidence.issued.length} issued, ${evidence.revoked.length} revoked, settled in ${Math.round(settledMs)} ms, ${found.length} violations`,
  );
  for (const { invariant, what } of found.slice(0, 10)) console.log(`  ${invariant} ${what}`);
}

console.log(`Data in ${directory}, seed ${seed}`);
try {
  const profile = await prepare();
  for (const point of faultPointNames) {
    for (let round = 0; round < roundsPerPoint; round += 1) {
      const passing = 1 + Math.floor(random() * 12);
      const server = await startServerProcess({
        directory,
        environment: { SIGNETRY_FAULT_POINT: `${point}:${passing + 1}` },
      });
      if (await runUntilDead(server, profile, undefined)) kills += 1;
      else violations.push({ invariant: 'I4', what: `the fault point ${point} was not reached` });
    }
    await checkEverything(point);
  }
  for (let round = 0; round < randomKills; round += 1) {
    const server = await startServerProcess({ directory });
    await runUntilDead(server, profile, 50 + random() * LONGEST_RANDOM_RUN_MS);
    kills += 1;
    if ((round + 1) % 5 === 0) await checkEverything(`random ${round + 1}`);
  }
  const server = await startServerProcess({ directory });
  const { database, close } = await openDatabase();
  const missed = await missedFaults(database);
  await close();
  await server.stop();
  for (const name of missed) console.log(`The checks do not find: ${name}`);
  console.log(
    `\n${kills} kills, ${violations.length} violations, ${missed.length} planted faults missed (seed ${seed})`,
  );
  process.exitCode = violations.length === 0 && missed.length === 0 ? 0 : 1;
} finally {
  if (!keepData) rmSync(directory, { recursive: true, force: true });
}
