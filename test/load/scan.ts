// A scan of loopback: ports that are closed, a server that says nothing, and servers that serve certificates. The
// scanner runs in this process, what it meets in another.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  createPlan,
  parseHosts,
  parsePorts,
  Politeness,
  runScan,
  type ScanPlan,
} from '@signetry/network-discovery/scan';
import type { BenchmarkReport, Figure } from './report.ts';
import type { ServerPorts } from './scan-servers.ts';

/** Together with the silent ones, as many as a host has ports. */
const SILENT = 15_536;
const CLOSED = 50_000;
const HANDSHAKES = 4_000;
const PARALLEL = 500;
const MIB = 2 ** 20;

const unlimited = { ratePerSecond: 1e9, parallelPerHost: PARALLEL, ratePerHost: 1e9 };

export async function benchScan(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const timeoutMs = Number(options.get('timeout') ?? 250);
  const child = fork(new URL('scan-servers.ts', import.meta.url));
  try {
    const [ports] = (await once(child, 'message')) as [ServerPorts];
    await warmUp(ports, timeoutMs);
    const plans = {
      closed: planOf(`1-${CLOSED}`, 1),
      silent: planOf(String(ports.silent), SILENT),
      served: planOf(ports.tls.join(), HANDSHAKES / ports.tls.length),
    };
    const closed = await measured(() => scan(plans.closed, timeoutMs));
    const silent = await measured(() => scan(plans.silent, timeoutMs));
    const served = await measured(() => scan(plans.served, 10_000, 64));
    if (options.has('phases')) console.log(closed, silent, served);
    const growth = Math.max(closed.growthMib, silent.growthMib, served.growthMib);
    const turn = Math.max(closed.longestTurnMs, silent.longestTurnMs, served.longestTurnMs);
    const figures: Figure[] = [
      { name: 'ports that are closed, 500 at once', value: CLOSED / closed.seconds, unit: '/s' },
      { name: `ports that are silent for ${timeoutMs} ms, 500 at once`, value: SILENT / silent.seconds, unit: '/s' },
      { name: 'handshakes, 64 at once', value: served.count / served.seconds, unit: '/s', goal: '>= 400' },
      { name: 'growth of memory at most', value: growth, unit: 'MiB', goal: '<= 100' },
      { name: 'longest turn of the event loop', value: turn, unit: 'ms', goal: '<= 50' },
    ];
    return { name: 'Network scan of loopback', figures, notes: NOTES };
  } finally {
    child.kill();
  }
}

const NOTES = [
  'Servers and scanner share the processors. Turns are counted in processor time of the main thread, memory as resident.',
];

/**
 * What is loaded and compiled once is no part of the figures, nor are the young generation and the arenas of the
 * compiler, which a process of any kind takes when it first has much to do: a second round of any phase grows by 1 MiB.
 */
async function warmUp(ports: ServerPorts, timeoutMs: number): Promise<void> {
  await scan(planOf(`1-${CLOSED}`, 1), timeoutMs);
  await scan(planOf(ports.tls.join(), 5), timeoutMs);
}

/** `repeated`: how often each port is scanned. */
const planOf = (ports: string, repeated: number): ScanPlan =>
  createPlan({
    hosts: Array.from({ length: repeated }, () => parseHosts('127.0.0.1').hosts).flat(),
    ports: parsePorts(ports, 'tls').ports,
  });

/** The number of targets that served certificates. */
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

async function measured(work: () => Promise<number>) {
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
  return { count, seconds, growthMib: (most - before) / MIB, longestTurnMs: longestUs / 1000 };
}
