// Kills a platform under load at named points and at random, restarts it and runs all checks.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, openSocketDirectory } from '@signetry/server/database';
import { startServerProcess, type ServerProcess } from '../load/server-process.ts';
import type { Violation } from './check-database.ts';
import type { Suite } from './suite.ts';

export interface KillOptions {
  /** Fault points of the suite to use; all if absent. */
  readonly points?: readonly string[] | undefined;
  readonly roundsPerPoint: number;
  readonly randomKills: number;
  readonly random: () => number;
  /** Keeps the data directory, to analyze violations. */
  readonly keepData: boolean;
}

export interface KillResult {
  readonly kills: number;
  readonly violations: readonly Violation[];
  readonly missed: readonly string[];
}

/** Maximum time after a restart until all undecided operations are settled: half the permitted time. */
const SETTLE_TIMEOUT_MS = 30_000;
const LONGEST_RANDOM_RUN_MS = 2_500;
const POINT_TIMEOUT_MS = 20_000;
/** Maximum number of times that a point is passed before it kills. */
const MOST_PASSINGS = 12;
const CHECK_EVERY = 5;
/** Work in progress must finish within this time. */
const PASS_LEASES_MS = 3_000;

export async function killAndCheck(suite: Suite, options: KillOptions): Promise<KillResult> {
  const { roundsPerPoint, randomKills, random, keepData, points } = options;
  const directory = mkdtempSync(join(tmpdir(), `signetry-faults-${suite.name}-`));
  const violations: Violation[] = [];
  let kills = 0;
  let longestSettling = 0;

  const start = (environment: Record<string, string> = {}): Promise<ServerProcess> =>
    startServerProcess({ directory, args: suite.args, environment });

  async function killAt(point: string): Promise<void> {
    const passing = 2 + Math.floor(random() * MOST_PASSINGS);
    const server = await start({ SIGNETRY_FAULT_POINT: `${point}:${passing}` }).catch((error: unknown) => {
      // Unfinished work of an earlier run reaches the point before the platform is ready: a crash during recovery.
      if (!String(error).includes('SIGKILL')) throw error;
    });
    if (!server || (await runUntilDead(suite, { server }))) kills += 1;
    else violations.push({ invariant: 'I4', what: `the fault point ${point} was not reached` });
  }

  async function checkEverything(label: string): Promise<void> {
    const server = await start();
    const { database, close } = await openDatabase(directory);
    const settled = await waitUntilSettled(database, suite.openWork, suite.passLeases);
    longestSettling = Math.max(longestSettling, settled.ms);
    const found = [...settled.violations, ...(await suite.check(server, database))];
    await close();
    await server.stop();
    violations.push(...found);
    console.log(
      `${suite.name} ${label}: ${kills} kills, ${suite.summary()}, settled in ${settled.ms} ms, ${found.length} violations`,
    );
    for (const { invariant, what } of found.slice(0, 10)) console.log(`  ${invariant} ${what}`);
  }

  console.log(`${suite.name}: data in ${directory}`);
  try {
    await prepare(suite, await start(), directory);
    for (const point of suite.points.filter((name) => points?.includes(name) ?? true)) {
      for (let round = 0; round < roundsPerPoint; round += 1) await killAt(point);
      if (roundsPerPoint > 0) await checkEverything(point);
    }
    for (let round = 1; round <= randomKills; round += 1) {
      const server = await start();
      await runUntilDead(suite, { server, killAfterMs: 50 + random() * LONGEST_RANDOM_RUN_MS });
      kills += 1;
      if (round % CHECK_EVERY === 0 || round === randomKills) await checkEverything(`random ${round}`);
    }
    const missed = await findMissed(suite, { server: await start(), directory });
    console.log(`${suite.name}: longest settling time ${longestSettling} ms`);
    return { kills, violations, missed };
  } finally {
    await suite.close();
    if (!keepData) rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs the load until the platform dies at a fault point or is killed. */
async function runUntilDead(
  suite: Suite,
  { server, killAfterMs }: { readonly server: ServerProcess; readonly killAfterMs?: number },
): Promise<boolean> {
  const stop = new AbortController();
  const dead = once(server.child, 'exit');
  const load = suite.load(server, stop.signal);
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

/** First run without faults, which creates the authority, profiles and OCSP responder. */
async function prepare(suite: Suite, server: ServerProcess, directory: string): Promise<void> {
  const { database, close } = await openDatabase(directory);
  while ((await database.query('SELECT FROM ocsp_responder WHERE certificate IS NOT NULL')).length === 0)
    await delay(100);
  await close();
  await suite.prepare?.(server);
  await server.stop();
}

async function findMissed(
  suite: Suite,
  { server, directory }: { readonly server: ServerProcess; readonly directory: string },
): Promise<string[]> {
  const { database, close } = await openDatabase(directory);
  const missed = await suite.missedFaults(server, database);
  await close();
  await server.stop();
  for (const name of missed) console.log(`${suite.name}: the checks did not detect: ${name}`);
  return missed;
}

/**
 * Waits until no work is pending. The API shows only certificates; the tables also contain pending revocations, orders
 * and challenges.
 */
export async function waitUntilSettled(
  database: Database,
  openWork: string,
  passLeases: readonly string[] = [],
): Promise<{ ms: number; violations: Violation[] }> {
  const started = performance.now();
  let passedMs = -PASS_LEASES_MS;
  for (;;) {
    if (performance.now() >= passedMs + PASS_LEASES_MS) {
      for (const statement of passLeases) await database.query(statement);
      passedMs = performance.now();
    }
    const [row] = await database.query<{ open: number }>(openWork);
    const ms = Math.round(performance.now() - started);
    if (row?.open === 0) return { ms, violations: [] };
    if (ms > SETTLE_TIMEOUT_MS) {
      const what = `${row?.open} operations, orders or challenges are not settled after ${SETTLE_TIMEOUT_MS / 1000} s`;
      return { ms, violations: [{ invariant: 'I11', what }] };
    }
    await delay(100);
  }
}

export async function openDatabase(directory: string): Promise<{ database: Database; close: () => Promise<void> }> {
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
