// Scanner under test, in a separate process with the platform's memory settings. Receives ports and sends the results.
import { once } from 'node:events';
import {
  createPlan,
  parseHosts,
  parsePorts,
  Politeness,
  runScan,
  type ScanPlan,
} from '@signetry/network-discovery/scan';
import type { ServerPorts } from './scan-servers.ts';

/** Together with the closed ports, as many as a host has ports. */
const SILENT = 15_536;
const CLOSED = 50_000;
const HANDSHAKES = 4_000;
const PARALLEL = 500;
const MIB = 2 ** 20;

const unlimited = { ratePerSecond: 1e9, parallelPerHost: PARALLEL, ratePerHost: 1e9 };

export interface ScannerTask {
  readonly ports: ServerPorts;
  readonly timeoutMs: number;
}

/** Result of a scan phase. */
export interface ScanPhase {
  readonly perSecond: number;
  /** Maximum growth of resident memory. */
  readonly growthMib: number;
  readonly longestTurnMs: number;
}

export type ScanPhases = Readonly<Record<'closed' | 'silent' | 'served', ScanPhase>>;

async function runPhases({ ports, timeoutMs }: ScannerTask): Promise<ScanPhases> {
  await warmUp(ports, timeoutMs);
  const plans = {
    closed: planOf(`1-${CLOSED}`, 1),
    silent: planOf(String(ports.silent), SILENT),
    served: planOf(ports.tls.join(), HANDSHAKES / ports.tls.length),
  };
  return {
    closed: await measurePhase(CLOSED, () => scan(plans.closed, timeoutMs)),
    silent: await measurePhase(SILENT, () => scan(plans.silent, timeoutMs)),
    served: await measurePhase(undefined, () => scan(plans.served, 10_000, 64)),
  };
}

/**
 * Excludes loading and compiling, and also the young generation and the compiler's arenas, which any process allocates
 * under its first heavy load: a second round of any phase grows by 1 MiB.
 */
async function warmUp(ports: ServerPorts, timeoutMs: number): Promise<void> {
  await scan(planOf(`1-${CLOSED}`, 1), timeoutMs);
  await scan(planOf(ports.tls.join(), 5), timeoutMs);
}

/** `repeated`: number of scans per port. */
const planOf = (ports: string, repeated: number): ScanPlan =>
  createPlan({
    hosts: Array.from({ length: repeated }, () => parseHosts('127.0.0.1').hosts).flat(),
    ports: parsePorts(ports, 'tls').ports,
  });

/** Returns the number of targets that served certificates. */
async function scan(plan: ScanPlan, timeoutMs: number, parallel = PARALLEL): Promise<number> {
  let count = 0;
  await runScan({
    plan,
    parallel,
    options: { timeoutMs, politeness: new Politeness(unlimited), signal: new AbortController().signal },
    onResult: (_number, { served }) => void (count += served.length),
  });
  return count;
}

/** `targets`: number of targets; if absent, only those that serve certificates count. */
async function measurePhase(targets: number | undefined, work: () => Promise<number>): Promise<ScanPhase> {
  const before = process.memoryUsage.rss();
  let [most, longestUs, cpu] = [before, 0, process.threadCpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(cpu);
    cpu = process.threadCpuUsage();
    longestUs = Math.max(longestUs, user + system);
    most = Math.max(most, process.memoryUsage.rss());
  }, 1);
  const began = performance.now();
  const count = await work();
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: (targets ?? count) / seconds, growthMib: (most - before) / MIB, longestTurnMs: longestUs / 1000 };
}

const [task] = (await once(process, 'message')) as [ScannerTask];
process.send?.(await runPhases(task));
