// `npm run bench -- issue --beside=cfssl`: compares signing over REST with a server that stores nothing, in turns on
// one core and under the same load. Only the ratios within a round are meaningful.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CFSSL_SIGN, startCfssl, type Cfssl } from './beside/cfssl.ts';
import { compare } from './beside/compare.ts';
import { percentile, type BenchmarkReport, type Figure } from './report.ts';
import { makeRequests } from './requests.ts';
import { drive, holdsCertificate, type RestLoad } from './rest-load.ts';
import { cpuSeconds, peakMemoryMiB, startServerProcess, type ServerProcess } from './server-process.ts';
import { profileFor } from './token-keys.ts';

const SERVER_CORE = 0;
const WARM_UP_S = 6;
const OURS = 'Signetry';
const THEIRS = 'cfssl';

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly latencyMs: number;
}

type Load = Omit<RestLoad, 'seconds' | 'concurrency'> & { readonly pid: number };

export async function benchIssueBeside(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const rounds = Number(options.get('rounds') ?? 5);
  const seconds = Number(options.get('seconds') ?? 6);
  const concurrency = Number(options.get('concurrency') ?? 32);
  const requests = await makeRequests(Number(options.get('requests') ?? 4_000));
  const directory = mkdtempSync(join(tmpdir(), 'signetry-beside-'));
  const server = await startServerProcess({ directory: join(directory, 'signetry'), core: SERVER_CORE });
  const cfssl = await startCfssl({ directory, programs: options.get('programs'), core: SERVER_CORE });
  try {
    const loads = await loadsOf(server, { cfssl, requests });
    const runs = await runAlternately(loads, { rounds, seconds, concurrency });
    return {
      name: `Signing over REST, alternating, ${concurrency} clients, one core per server with its database`,
      figures: [
        ...figuresOf(runs),
        { name: `peak memory, ${OURS}`, value: peakMemoryMiB(server.ready.pid), unit: 'MiB', goal: '<= 250' },
        { name: `peak memory, ${THEIRS}`, value: peakMemoryMiB(cfssl.pid), unit: 'MiB' },
      ],
      notes: [
        `${rounds} rounds of ${seconds} s each after ${WARM_UP_S} s; medians of the rounds, with minimum and maximum in brackets. cfssl stores nothing.`,
      ],
    };
  } finally {
    await cfssl.stop();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function loadsOf(
  server: ServerProcess,
  { cfssl, requests }: { readonly cfssl: Cfssl; readonly requests: readonly string[] },
): Promise<ReadonlyMap<string, Load>> {
  const { authorityUuid, raProfileUuid } = await profileFor(server, { keyAlgorithm: 'P-256', tokens: undefined });
  const ours: Load = {
    server,
    pid: server.ready.pid,
    path: `/api/v2/operations/authorities/${authorityUuid}/raProfiles/${raProfileUuid}/certificates`,
    bodies: requests.map((request) => JSON.stringify({ request, attributes: [] })),
    isGood: holdsCertificate,
  };
  const theirs: Load = {
    server: { ready: { http: cfssl.http, token: '' } },
    pid: cfssl.pid,
    path: CFSSL_SIGN,
    bodies: requests.map((request) => JSON.stringify({ certificate_request: asPem(request) })),
    isGood: (answer) => answer.includes('BEGIN CERTIFICATE'),
  };
  return new Map([
    [OURS, ours],
    [THEIRS, theirs],
  ]);
}

type Runs = ReadonlyMap<string, readonly Measured[]>;

async function runAlternately(
  loads: ReadonlyMap<string, Load>,
  { rounds, ...each }: { readonly rounds: number; readonly seconds: number; readonly concurrency: number },
): Promise<Runs> {
  const runs = new Map<string, Measured[]>();
  for (const load of loads.values()) await drive({ ...load, ...each, seconds: WARM_UP_S });
  for (let round = 0; round < rounds; round += 1)
    for (const [name, load] of loads) {
      const before = cpuSeconds(load.pid);
      const { count, failures, seconds, latencies } = await drive({ ...load, ...each });
      if (failures > 0) throw new Error(`${name} failed ${failures} of ${count + failures} requests.`);
      const cpuMs = ((cpuSeconds(load.pid) - before) / count) * 1000;
      runs.set(name, [
        ...(runs.get(name) ?? []),
        { perSecond: count / seconds, cpuMs, latencyMs: percentile(latencies, 0.5) },
      ]);
      console.error(`round ${round + 1}, ${name}: ${Math.round(count / seconds)}/s, ${cpuMs.toFixed(2)} ms`);
    }
  return runs;
}

const MEASURES = [
  { what: 'rate', unit: '/s', of: ({ perSecond }: Measured) => perSecond, goal: '>= 0.4' },
  { what: 'cpu', unit: 'ms', of: ({ cpuMs }: Measured) => cpuMs, goal: undefined },
  { what: 'latency', unit: 'ms', of: ({ latencyMs }: Measured) => latencyMs, goal: undefined },
] as const;

const figuresOf = (runs: Runs): Figure[] =>
  MEASURES.flatMap(({ what, unit, of, goal }) => {
    const values = (name: string): number[] => (runs.get(name) ?? []).map(of);
    return compare({
      what,
      unit,
      ours: { name: OURS, values: values(OURS) },
      theirs: [{ name: THEIRS, values: values(THEIRS), goal }],
    });
  });

const asPem = (request: string): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${request.replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE REQUEST-----\n`;
