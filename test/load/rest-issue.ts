// Issuance over REST with durable records: the server and its database run on one core, this client on the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costArguments, watchCosts } from './cost/cost-page.ts';
import { benchIssueBeside } from './issue-beside.ts';
import { percentile, type BenchmarkReport } from './report.ts';
import { makeRequests } from './requests.ts';
import { drive, holdsCertificate } from './rest-load.ts';
import { cpuSeconds, peakMemoryMiB, startServerProcess } from './server-process.ts';
import { isTokenKind, nameOfKind, openTokens, profileFor } from './token-keys.ts';

const SERVER_CORE = 0;

export async function benchIssue(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  if (options.has('beside')) return benchIssueBeside(options);
  const seconds = Number(options.get('seconds') ?? 15);
  const concurrency = Number(options.get('concurrency') ?? 32);
  const keyAlgorithm = options.get('ca') ?? 'P-256';
  const key = options.get('key');
  const kind = isTokenKind(key) ? key : undefined;
  const requests = await makeRequests(Number(options.get('requests') ?? 4_000));
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const tokens = await openTokens(kind);
  const looksInside = options.has('cost');
  const server = await startServerProcess({
    directory,
    core: SERVER_CORE,
    args: [...tokens.args, ...(looksInside ? costArguments.args : [])],
    ...(looksInside ? { environment: costArguments.environment } : {}),
  });
  try {
    const { authorityUuid, raProfileUuid } = await profileFor(server, { keyAlgorithm, tokens: kind && tokens });
    const path = `/api/v2/operations/authorities/${authorityUuid}/raProfiles/${raProfileUuid}/certificates`;
    const bodies = requests.map((request) => JSON.stringify({ request, attributes: [] }));
    const load = { server, path, bodies, concurrency, isGood: holdsCertificate };
    await drive({ ...load, seconds: Math.min(5, seconds) }); // Unwarmed code and query plans cost a third more.
    const costs = looksInside ? await watchCosts(server) : undefined;
    const cpuBefore = cpuSeconds(server.ready.pid);
    const result = await drive({ ...load, seconds });
    const cpu = cpuSeconds(server.ready.pid) - cpuBefore;
    const page = await costs?.(result.count);
    return {
      name: `REST issue, ${keyAlgorithm} CA${kind ? ` with its key in ${nameOfKind(kind)}` : ''}, ${concurrency} clients`,
      figures: [
        {
          name: 'certificates per second',
          value: result.count / result.seconds,
          unit: '/s',
          goal: goalOf(kind, keyAlgorithm),
        },
        { name: 'CPU per certificate, server and database', value: (cpu / result.count) * 1000, unit: 'ms' },
        { name: 'latency, median', value: percentile(result.latencies, 0.5), unit: 'ms' },
        { name: 'latency, 95th percentile', value: percentile(result.latencies, 0.95), unit: 'ms' },
        { name: 'failures', value: result.failures, unit: '', goal: '0' },
        {
          name: 'peak memory of the server process',
          value: peakMemoryMiB(server.ready.pid),
          unit: 'MiB',
          goal: '<= 350',
        },
      ],
      notes: [
        `${seconds} s after a warm-up, server and database pinned to one core if taskset is available.`,
        ...(page ? [page] : []),
      ],
    };
  } finally {
    await server.stop();
    await tokens.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function goalOf(kind: string | undefined, keyAlgorithm: string): string {
  if (kind === 'hardware') return '>= 400';
  if (kind === 'token') return '>= 0.7 of a CA with a sealed key';
  return keyAlgorithm.startsWith('RSA') ? '>= 500' : '>= 700';
}
