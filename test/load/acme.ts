// Issuance over ACME with durable storage: HTTPS, ES256 accounts, P-256 keys, real DNS lookups, real http-01 requests.
// The server and its database run on one core, this client and its targets on the other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@signetry/client';
import { CLIENT_CORE, load, makeRequests, pinToCore, SERVER_CORE, startTargets, type Run } from './acme-load.ts';
import { benchAcmeBeside } from './acme-beside.ts';
import { costArguments, watchCosts } from './cost/cost-page.ts';
import { percentile, type BenchmarkReport } from './report.ts';
import { peakMemoryMiB, startServerProcess, type ServerProcess } from './server-process.ts';
import { isTokenKind, nameOfKind, openTokens, profileFor, type TokensForBench } from './token-keys.ts';

const WARM_UP_S = 8;

export async function benchAcme(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  if (options.has('beside')) return benchAcmeBeside(options);
  const seconds = Number(options.get('seconds') ?? 20);
  const concurrencies = (options.get('concurrency') ?? '1,8,32').split(',').map(Number);
  const bothCores = options.get('cores') === 'both';
  const directory = options.get('data') ?? mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const key = options.get('key');
  const kind = isTokenKind(key) ? key : undefined;
  const tokens = await openTokens(kind);
  const targets = await startTargets();
  const looksInside = options.has('cost');
  if (!bothCores) pinToCore(CLIENT_CORE);
  const server = await startServerProcess({
    directory,
    ...(bothCores ? {} : { core: SERVER_CORE }),
    args: [
      ...(options.get('args')?.split(' ') ?? []),
      ...tokens.args,
      `--acme-http01-port=${targets.http.port}`,
      `--acme-dns=${targets.dns.address}:${targets.dns.port}`,
      ...(looksInside ? costArguments.args : []),
    ],
    ...(looksInside ? { environment: costArguments.environment } : {}),
  });
  try {
    const requests = await makeRequests();
    const directoryUrl = kind ? await directoryFor(server, tokens) : defaultDirectory(server);
    const runs = new Map<number, Run>();
    const ca = readFileSync(server.ready.rootCertificate);
    const facts = { server: { directoryUrl, pid: server.ready.pid, ca }, targets, requests };
    await load({ ...facts, concurrency: 8, seconds: WARM_UP_S });
    const pages: string[] = [];
    for (const concurrency of concurrencies) {
      const costs = looksInside ? await watchCosts(server) : undefined;
      const run = await load({ ...facts, concurrency, seconds });
      runs.set(concurrency, run);
      if (costs) pages.push(`### ${concurrency} concurrent\n\n${await costs(run.latencies.length)}`);
    }
    return {
      name: `ACME${kind ? `, CA with its key in ${nameOfKind(kind)}` : ''}, ${bothCores ? 'both cores' : 'one core for server and database'}`,
      figures: [
        ...[...runs].flatMap(([concurrency, run]) => figuresOf(concurrency, run)),
        ...ratio(runs),
        memoryOf(server),
      ],
      notes: [
        `${seconds} s for each concurrency after a warm-up of ${WARM_UP_S} s; 6 signed requests, one DNS lookup of A and AAAA, and one challenge request per certificate.`,
        ...pages,
      ],
    };
  } finally {
    await server.stop();
    await tokens.close();
    await Promise.all([targets.http.stop(), targets.dns.close()]);
    if (!options.has('data')) rmSync(directory, { recursive: true, force: true });
  }
}

const defaultDirectory = ({ ready }: ServerProcess): string => `${ready.https}/api/v1/protocols/acme/default/directory`;

/** Returns the directory URL of an ACME profile whose CA key is in a token. */
async function directoryFor(server: ServerProcess, tokens: TokensForBench): Promise<string> {
  const { raProfileUuid } = await profileFor(server, { keyAlgorithm: 'P-256', tokens });
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const body = { name: 'bench', raProfileUuid, issueCertificateAttributes: [], revokeCertificateAttributes: [] };
  const { uuid } = await client.acmeProfiles.createAcmeProfile({ body });
  await client.acmeProfiles.enableAcmeProfile({ params: { uuid } });
  const { directoryUrl = '' } = await client.acmeProfiles.getAcmeProfile({ params: { uuid } });
  return directoryUrl;
}

const GOALS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: { median: '<= 12' },
  8: { rate: '>= 230', cpu: '<= 4.2', p95: '<= 50' },
};

function figuresOf(concurrency: number, run: Run) {
  const goal = (name: string) => {
    const wanted = GOALS[concurrency]?.[name];
    return wanted === undefined ? {} : { goal: wanted };
  };
  const of = (name: string) => `${name}, ${concurrency} concurrent`;
  for (const failure of new Set(run.failures)) console.error(failure);
  return [
    { name: of('certificates per second'), value: run.perSecond, unit: '/s', ...goal('rate') },
    { name: of('CPU per certificate'), value: run.cpuMs, unit: 'ms', ...goal('cpu') },
    { name: of('CPU of the database'), value: run.databaseCpuMs, unit: 'ms' },
    { name: of('latency, median'), value: percentile(run.latencies, 0.5), unit: 'ms', ...goal('median') },
    { name: of('latency, 95th percentile'), value: percentile(run.latencies, 0.95), unit: 'ms', ...goal('p95') },
    { name: of('longest pause'), value: run.longestGapMs, unit: 'ms' },
    { name: of('failures'), value: run.failures.length, unit: '', goal: '0' },
  ];
}

function ratio(runs: ReadonlyMap<number, Run>) {
  const [eight, many] = [runs.get(8), runs.get(32)];
  return eight && many
    ? [
        {
          name: 'rate of 32 concurrent relative to 8 concurrent',
          value: many.perSecond / eight.perSecond,
          unit: '',
          goal: '>= 0.95',
        },
      ]
    : [];
}

const memoryOf = (server: ServerProcess) => ({
  name: 'peak memory of the server process',
  value: peakMemoryMiB(server.ready.pid),
  unit: 'MiB',
});
