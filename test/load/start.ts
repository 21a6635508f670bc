// How long a first and a second start take, from the start of the process to the ready line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type BenchmarkReport } from './report.ts';
import { startServerProcess } from './server-process.ts';

export async function benchStart(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const rounds = Number(options.get('rounds') ?? 3);
  const first: number[] = [];
  const second: number[] = [];
  const stops: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
    try {
      for (const samples of [first, second]) {
        const server = await startServerProcess({ directory });
        samples.push(server.startSeconds);
        const stopping = performance.now();
        await server.stop();
        stops.push((performance.now() - stopping) / 1000);
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return {
    name: 'Start',
    figures: [
      {
        name: 'first start, with its HTTPS certificate issued (median)',
        value: median(first),
        unit: 's',
        goal: '<= 20',
      },
      { name: 'second start (median)', value: median(second), unit: 's', goal: '<= 3' },
      { name: 'graceful stop (median)', value: median(stops), unit: 's' },
    ],
    notes: [`${rounds} rounds.`],
  };
}
