// Scan of loopback: closed ports, a silent server, and servers with certificates. The scanner runs in one process, its
// targets in a different one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BenchmarkReport, Figure } from './report.ts';
import type { ServerPorts } from './scan-servers.ts';
import type { ScannerTask, ScanPhases } from './scanner.ts';

/** The settings with which `signetry` starts its process. */
const AS_STARTED = { execArgv: ['--max-semi-space-size=8'], env: { ...process.env, MALLOC_ARENA_MAX: '2' } };

export async function benchScan(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const timeoutMs = Number(options.get('timeout') ?? 250);
  const servers = fork(new URL('scan-servers.ts', import.meta.url));
  const scanner = fork(new URL('scanner.ts', import.meta.url), AS_STARTED);
  try {
    const [ports] = (await once(servers, 'message')) as [ServerPorts];
    scanner.send({ ports, timeoutMs } satisfies ScannerTask);
    const [phases] = (await once(scanner, 'message')) as [ScanPhases];
    if (options.has('phases')) console.log(phases);
    const { closed, silent, served } = phases;
    const growth = Math.max(...Object.values(phases).map(({ growthMib }) => growthMib));
    const turn = Math.max(...Object.values(phases).map(({ longestTurnMs }) => longestTurnMs));
    const figures: Figure[] = [
      { name: 'closed ports, 500 concurrent', value: closed.perSecond, unit: '/s' },
      { name: `ports silent for ${timeoutMs} ms, 500 concurrent`, value: silent.perSecond, unit: '/s' },
      { name: 'handshakes, 64 concurrent', value: served.perSecond, unit: '/s', goal: '>= 400' },
      { name: 'largest memory growth', value: growth, unit: 'MiB', goal: '<= 100' },
      { name: 'longest turn of the event loop', value: turn, unit: 'ms', goal: '<= 50' },
    ];
    return { name: 'Network scan of loopback', figures, notes: NOTES };
  } finally {
    servers.kill();
    scanner.kill();
  }
}

const NOTES = [
  'Servers and scanner share the CPUs. Turns are measured in CPU time of the main thread, memory as resident set size.',
];
