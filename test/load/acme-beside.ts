// `npm run bench -- acme --beside=step-ca,pebble`: compares ACME servers, in turns on one core and under the same load.
// The speed of a machine changes from minute to minute, so only the ratios within a round are meaningful.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CLIENT_CORE,
  load,
  makeRequests,
  pinToCore,
  SERVER_CORE,
  startTargets,
  type AcmeServer,
  type Run,
  type Targets,
} from './acme-load.ts';
import { startPebble, startStepCa, type PeerSetup } from './beside/acme-peers.ts';
import { compare, type Comparison } from './beside/compare.ts';
import { percentile, type BenchmarkReport, type Figure } from './report.ts';
import { peakMemoryMiB, startServerProcess } from './server-process.ts';

const WARM_UP_S = 6;
const OURS = 'Signetry';

interface Started extends AcmeServer {
  stop(): Promise<void>;
}

const peers: Readonly<Record<string, (place: PeerSetup) => Promise<Started>>> = {
  'step-ca': startStepCa,
  pebble: startPebble,
};

/** Target ratios of our results to theirs, by number of concurrent clients. */
const GOALS: Readonly<Record<string, string>> = {
  'step-ca 8 rate': '>= 2.0',
  'pebble 8 rate': '>= 1.0',
  'step-ca 32 rate': '>= 2.2',
  'step-ca 1 cpu': '<= 1.0',
  'step-ca 1 latency': '<= 1.0',
};
const GOALS_ON_BOTH_CORES: Readonly<Record<string, string>> = { 'step-ca 32 rate': '>= 1.5' };

export async function benchAcmeBeside(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const names = (options.get('beside') || Object.keys(peers).join(',')).split(',');
  const rounds = Number(options.get('rounds') ?? 5);
  const seconds = Number(options.get('seconds') ?? 6);
  const concurrencies = (options.get('concurrency') ?? '1,8,32').split(',').map(Number);
  const bothCores = options.get('cores') === 'both';
  if (!bothCores) pinToCore(CLIENT_CORE);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-beside-'));
  const targets = await startTargets();
  const place = { directory, targets, programs: options.get('programs'), ...(bothCores ? {} : { core: SERVER_CORE }) };
  const servers = new Map<string, Started>();
  try {
    servers.set(OURS, await startOurs(place));
    for (const name of names) {
      const start = peers[name];
      if (!start) throw new Error(`Unknown server ${name}; available: ${Object.keys(peers).join(', ')}.`);
      servers.set(name, await start(place));
    }
    const runs = await runAlternately(servers, { targets, rounds, seconds, concurrencies });
    const goals = bothCores ? GOALS_ON_BOTH_CORES : GOALS;
    return {
      name: `ACME servers, alternating, ${bothCores ? 'sharing both cores with their clients' : 'one core per server with its database'}`,
      figures: [
        ...concurrencies.flatMap((concurrency) => figuresOf(runs, { concurrency, names, goals })),
        ...[...servers].map(([name, { pid }]) => memoryOf(name, pid)),
      ],
      notes: [
        `${rounds} rounds, ${seconds} s per server and concurrency in every round, after ${WARM_UP_S} s; medians of the rounds, with minimum and maximum in brackets. pebble stores nothing.`,
      ],
    };
  } finally {
    for (const server of servers.values()) await server.stop();
    await Promise.all([targets.http.stop(), targets.dns.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function startOurs({ directory, targets, core }: PeerSetup): Promise<Started> {
  const server = await startServerProcess({
    directory: join(directory, 'signetry'),
    ...(core === undefined ? {} : { core }),
    args: [`--acme-http01-port=${targets.http.port}`, `--acme-dns=${targets.dns.address}:${targets.dns.port}`],
  });
  return {
    directoryUrl: `${server.ready.https}/api/v1/protocols/acme/default/directory`,
    pid: server.ready.pid,
    ca: readFileSync(server.ready.rootCertificate),
    stop: () => server.stop(),
  };
}

type Runs = ReadonlyMap<string, readonly Run[]>;
const keyOf = (name: string, concurrency: number): string => `${name} ${concurrency}`;

async function runAlternately(
  servers: ReadonlyMap<string, AcmeServer>,
  facts: {
    readonly targets: Targets;
    readonly rounds: number;
    readonly seconds: number;
    readonly concurrencies: readonly number[];
  },
): Promise<Runs> {
  const requests = await makeRequests();
  const { targets, rounds, seconds, concurrencies } = facts;
  const runs = new Map<string, Run[]>();
  for (const server of servers.values()) await load({ server, targets, requests, concurrency: 8, seconds: WARM_UP_S });
  for (let round = 0; round < rounds; round += 1) {
    for (const concurrency of concurrencies) {
      for (const [name, server] of servers) {
        const run = await load({ server, targets, requests, concurrency, seconds });
        for (const failure of new Set(run.failures)) console.error(`${name}: ${failure}`);
        const key = keyOf(name, concurrency);
        runs.set(key, [...(runs.get(key) ?? []), run]);
        console.error(
          `round ${round + 1}, ${concurrency} concurrent, ${name}: ${Math.round(run.perSecond)}/s, ${run.cpuMs.toFixed(1)} ms`,
        );
      }
    }
  }
  return runs;
}

const MEASURES: Readonly<Record<string, { readonly unit: string; readonly of: (run: Run) => number }>> = {
  rate: { unit: '/s', of: ({ perSecond }) => perSecond },
  cpu: { unit: 'ms', of: ({ cpuMs }) => cpuMs },
  latency: { unit: 'ms', of: ({ latencies }) => percentile(latencies, 0.5) },
};

function figuresOf(
  runs: Runs,
  facts: {
    readonly concurrency: number;
    readonly names: readonly string[];
    readonly goals: Readonly<Record<string, string>>;
  },
): Figure[] {
  const { concurrency, names, goals } = facts;
  return Object.entries(MEASURES).flatMap(([measure, { unit, of }]) => {
    const valuesOf = (name: string): number[] => (runs.get(keyOf(name, concurrency)) ?? []).map(of);
    const comparison: Comparison = {
      what: `${measure}, ${concurrency} concurrent`,
      unit,
      ours: { name: OURS, values: valuesOf(OURS) },
      theirs: names.map((name) => ({ name, values: valuesOf(name), goal: goals[`${name} ${concurrency} ${measure}`] })),
    };
    return compare(comparison);
  });
}

const memoryOf = (name: string, pid: number): Figure => ({
  name: `peak memory, ${name}`,
  value: peakMemoryMiB(pid),
  unit: 'MiB',
  ...(name === OURS ? { goal: '<= 250' } : {}),
});
