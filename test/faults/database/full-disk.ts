// Fills the disk of the embedded database while certificates are issued, then frees it again. Needs a small file
// system, so it runs only as root.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServerProcess } from '../../load/server-process.ts';
import type { Violation } from '../check-database.ts';
import { Evidence } from '../evidence.ts';
import { openDatabase, type KillResult } from '../kill-rounds.ts';
import { badResponses, startIssueLoad, waitForReadiness } from './issue-load.ts';
import { checkAll } from './outages.ts';

const DISK = '400m';
const WARM_MS = 2_000;
const FULL_MS = 10_000;
const NOT_READY_WITHIN_MS = 15_000;
/** The database server may have stopped, and there are delays between its restarts. */
const BACK_WITHIN_MS = 60_000;
/** Log limit for a 10 s outage: some lines from the platform and from a restarting database server. */
const MOST_LOG_BYTES = 200_000;

export async function fullDiskRun(): Promise<KillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-faults-disk-'));
  if (!mountSmallDisk(folder)) {
    rmSync(folder, { recursive: true, force: true });
    console.log('disk: SKIPPED, because this user cannot mount a small file system');
    return { kills: 0, violations: [], missed: [] };
  }
  const evidence = new Evidence();
  const violations: Violation[] = [];
  const violate = (what: string): void => void violations.push({ invariant: 'service', what: `full disk: ${what}` });
  const directory = join(folder, 'data');
  const server = await startServerProcess({ directory });
  const load = await startIssueLoad(server, evidence);
  try {
    await delay(WARM_MS);
    load.forget();
    const saidBefore = server.stderr().length;
    const ballast = fill(folder);
    const told = await waitForReadiness(server, 503, NOT_READY_WITHIN_MS);
    if (!told) violate('the platform reports that it is ready');
    await delay(FULL_MS);
    const said = server.stderr().length - saidBefore;
    if (said > MOST_LOG_BYTES) violate(`the log grew by ${said} bytes`);
    rmSync(ballast);
    const back = await load.untilIssued(BACK_WITHIN_MS);
    if (back === undefined) violate('no certificate issued after space was freed');
    if (!(await waitForReadiness(server, 200, BACK_WITHIN_MS))) violate('the platform did not become ready again');
    violations.push(...badResponses(load, 'full disk'));
    const answers = [...load.statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
    console.log(`disk: recovered after ${back} ms, ${said} bytes of log, ${answers}, ${violations.length} violations`);
    for (const { what } of violations) console.log(`  ${what}`);
    await load.end();
    const { database, close } = await openDatabase(directory);
    violations.push(...(await checkAll(server, database, evidence)));
    await close();
  } finally {
    await load.end();
    await server.stop();
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
  return { kills: 0, violations, missed: [] };
}

function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Fills the disk and returns the file to remove. The platform writes at the same time, so the free space is not known
 * in advance.
 */
function fill(folder: string): string {
  const ballast = join(folder, 'ballast');
  const file = openSync(ballast, 'w');
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
  return ballast;
}
