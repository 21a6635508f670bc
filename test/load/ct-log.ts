// Reading a CT log over loopback: the reader runs in this process, the log in a separate one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { LogClient, readCheckpoint, readRange, TrustedTree } from '@signetry/log-discovery/log';
import type { BenchmarkReport } from './report.ts';

const ENTRIES = 200_000;
const PARALLEL = 8;

export async function benchCtLog(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const entries = Number(options.get('entries') ?? ENTRIES);
  const child = fork(new URL('ct-log-server.ts', import.meta.url), [String(entries)]);
  try {
    const [url] = (await once(child, 'message')) as [string];
    await read(url, 0, Math.min(entries, 10_000)); // Loading and compiling happen before the measurement.
    const began = performance.now();
    const cpu = process.cpuUsage();
    const found = await read(url, 0, entries);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return {
      name: 'Certificate transparency log',
      figures: [
        { name: `entries read and verified, ${PARALLEL} concurrent tiles`, value: entries / seconds, unit: '/s' },
        { name: 'CPU time of the reader per 1,000 entries', value: (user + system) / entries, unit: 'ms' },
        { name: 'matching entries', value: found, unit: '' },
      ],
      notes: ['Log and reader share the CPUs. One entry in 1,000 has a requested name.'],
    };
  } finally {
    child.kill();
  }
}

async function read(url: string, from: number, to: number): Promise<number> {
  const { signal } = new AbortController();
  const client = new LogClient({ url, parallel: PARALLEL, ratePerSecond: 1e6, timeoutMs: 60_000, signal });
  const head = readCheckpoint(await client.checkpoint(), undefined);
  const tree = new TrustedTree(head, (tile) => client.tile(tile));
  let found = 0;
  await readRange(
    { client, tree, head, domains: ['example.com'], withIssuers: false },
    { from, to, parallel: PARALLEL, signal, onTile: (_number, _next, tile) => void (found += tile.found.length) },
  );
  client.close();
  return found;
}
