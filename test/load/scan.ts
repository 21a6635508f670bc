// A scan of loopback: ports that are closed, a server that says nothing, and servers that serve certificates. The
// scanner runs in one process, what it meets in another.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BenchmarkReport, Figure } from './report.ts';
import type { ServerPorts } from './scan-servers.ts';
import type { ScannerTask, ScanPhases } from './scanner.ts';

/** As `signetry` starts its process. */
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
      { name: 'ports that are closed, 500 at once', value: closed.perSecond, unit: '/s' },
      { name: `ports that are silent for ${timeoutMs} ms, 500 at once`, value: silent.perSecond, unit: '/s' },
      { name: 'handshakes, 64 at once', value: served.perSecond, unit: '/s', goal: '>= 400' },
      { name: 'growth of memory at most', value: growth, unit: 'MiB', goal: '<= 100' },
      { name: 'longest turn of the event loop', value: turn, unit: 'ms', goal: '<= 50' },
    ];
    return { name: 'Network scan of loopback', figures, notes: NOTES };
  } finally {
    servers.kill();
    scanner.kill();
  }
}

const NOTES = [
  'Servers and scanner share the processors. Turns are counted in processor time of the main thread, memory as resident.',
];
