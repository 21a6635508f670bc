// Start times, from the start of the process to the ready line: the first start, the second, and one after a kill, with
// an inventory of any size.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fillCertificates } from './certificates-in-database.ts';
import { inDatabaseOf } from './database-of-server.ts';
import { median, type BenchmarkReport } from './report.ts';
import { killTree, startServerProcess } from './server-process.ts';

/** Idle time before the platform is killed. */
const REST_MS = 5_000;

export async function benchStart(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const rounds = Number(options.get('rounds') ?? 3);
  const certificates = Number(options.get('certificates') ?? 0);
  const first: number[] = [];
  const second: number[] = [];
  const stops: number[] = [];
  const unclean: number[] = [];
  const directories = Array.from({ length: certificates ? 1 : rounds }, () =>
    mkdtempSync(join(tmpdir(), 'signetry-bench-')),
  );
  try {
    for (const directory of directories) first.push(await firstStart(directory, { certificates, stops }));
    for (let round = 0; round < rounds; round += 1) {
      const directory = directories[round % directories.length] ?? '';
      const server = await startServerProcess({ directory });
      second.push(server.startSeconds);
      await delay(REST_MS);
      killTree(server.ready.pid);
      await once(server.child, 'exit');
      const again = await startServerProcess({ directory });
      unclean.push(again.startSeconds);
      stops.push(await measureStop(again));
    }
  } finally {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
  return {
    name: certificates ? `Start with ${certificates.toLocaleString('en')} certificates` : 'Start',
    figures: [
      {
        name: 'first start, including its HTTPS certificate (median)',
        value: median(first),
        unit: 's',
        goal: '<= 20',
      },
      { name: 'second start (median)', value: median(second), unit: 's', goal: '<= 3' },
      {
        name: 'start after kill -9 of platform and database (median)',
        value: median(unclean),
        unit: 's',
        goal: '<= 3',
      },
      { name: 'graceful stop (median)', value: median(stops), unit: 's' },
    ],
    notes: [`${rounds} rounds; killed ${REST_MS / 1000} s after readiness.`],
  };
}

async function firstStart(
  directory: string,
  { certificates, stops }: { readonly certificates: number; readonly stops: number[] },
): Promise<number> {
  const server = await startServerProcess({ directory });
  if (certificates)
    await inDatabaseOf(directory, async (database) => {
      await fillCertificates(database, certificates);
      await database.query('ANALYZE');
    });
  stops.push(await measureStop(server));
  return server.startSeconds;
}

async function measureStop(server: { stop(): Promise<void> }): Promise<number> {
  const stopping = performance.now();
  await server.stop();
  return (performance.now() - stopping) / 1000;
}
