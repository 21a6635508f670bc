// Issuing over ACME with everything durable: HTTPS, ES256 accounts, P-256 keys, names looked up in a real DNS, http-01
// really fetched. Server and its database on one core, this client with its targets on the other.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAcmeTestClient, type AcmeTestClient } from '../../packages/testkit/src/acme/acme-client.ts';
import {
  startHttpChallengeServer,
  type HttpChallengeServer,
} from '../../packages/testkit/src/acme/challenge-servers.ts';
import { startDnsServer, type DnsServer } from '../../packages/testkit/src/acme/dns-server.ts';
import { makeSigningRequest } from '../../packages/testkit/src/acme/signing-request.ts';
import { createClient } from '@signetry/client';
import { costArguments, watchCosts } from './cost/cost-page.ts';
import { percentile, type BenchmarkReport } from './report.ts';
import {
  cpuSeconds,
  cpuSecondsByProgram,
  peakMemoryMiB,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts';
import { isTokenKind, nameOfKind, openTokens, profileFor, type TokensForBench } from './token-keys.ts';

const SERVER_CORE = 0;
const CLIENT_CORE = 1;
const TASKSET = '/usr/bin/taskset';
/** Names that are asked for in turn; an inventory has many certificates of one name. */
const NAMES = 64;
const WARM_UP_S = 8;

export async function benchAcme(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
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
    const facts = { server, directoryUrl, targets, requests };
    await load({ ...facts, concurrency: 8, seconds: WARM_UP_S });
    const pages: string[] = [];
    for (const concurrency of concurrencies) {
      const costs = looksInside ? await watchCosts(server) : undefined;
      const run = await load({ ...facts, concurrency, seconds });
      runs.set(concurrency, run);
      if (costs) pages.push(`### ${concurrency} at once\n\n${await costs(run.latencies.length)}`);
    }
    return {
      name: `ACME${kind ? `, CA with its key in ${nameOfKind(kind)}` : ''}, ${bothCores ? 'both cores' : 'one core for server and database'}`,
      figures: [
        ...[...runs].flatMap(([concurrency, run]) => figuresOf(concurrency, run)),
        ...ratio(runs),
        memoryOf(server),
      ],
      notes: [
        `${seconds} s for each concurrency after a warm-up of ${WARM_UP_S} s; 6 signed requests, one DNS look-up of A and AAAA and one fetched challenge per certificate.`,
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

/** Of a CA with its key in a token. */
async function directoryFor(server: ServerProcess, tokens: TokensForBench): Promise<string> {
  const { raProfileUuid } = await profileFor(server, { keyAlgorithm: 'P-256', tokens });
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const body = { name: 'bench', raProfileUuid, issueCertificateAttributes: [], revokeCertificateAttributes: [] };
  const { uuid } = await client.acmeProfiles.createAcmeProfile({ body });
  await client.acmeProfiles.enableAcmeProfile({ params: { uuid } });
  const { directoryUrl = '' } = await client.acmeProfiles.getAcmeProfile({ params: { uuid } });
  return directoryUrl;
}

interface Targets {
  readonly http: HttpChallengeServer;
  readonly dns: DnsServer;
}

async function startTargets(): Promise<Targets> {
  const zone = Object.fromEntries(
    Array.from({ length: NAMES }, (_, index) => [nameOf(index), [{ type: 'A', address: '127.0.0.1' } as const]]),
  );
  return { http: await startHttpChallengeServer(), dns: await startDnsServer(zone) };
}

const nameOf = (index: number): string => `h${index % NAMES}.bench.test`;

/** One request for each name, each with a key of its own. */
const makeRequests = (): Promise<Uint8Array[]> =>
  Promise.all(
    Array.from({ length: NAMES }, async (_, index) => (await makeSigningRequest({ names: [nameOf(index)] })).der),
  );

function pinToCore(core: number): void {
  if (existsSync(TASKSET)) execFileSync(TASKSET, ['-a', '-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}

interface Load {
  readonly server: ServerProcess;
  readonly directoryUrl: string;
  readonly targets: Targets;
  readonly requests: readonly Uint8Array[];
  readonly concurrency: number;
  readonly seconds: number;
}

interface Run {
  readonly perSecond: number;
  readonly latencies: readonly number[];
  /** Longest time in which no certificate was finished. */
  readonly longestGapMs: number;
  readonly failures: readonly string[];
  readonly cpuMs: number;
  readonly databaseCpuMs: number;
}

async function load({ server, directoryUrl, targets, requests, concurrency, seconds }: Load): Promise<Run> {
  const ca = readFileSync(server.ready.rootCertificate);
  const clients = await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const client = createAcmeTestClient({ directoryUrl, ca });
      await client.newAccount();
      return client;
    }),
  );
  const latencies: number[] = [];
  const failures: string[] = [];
  let next = 0;
  let lastEnd = performance.now();
  let longestGapMs = 0;
  const before = { total: cpuSeconds(server.ready.pid), database: cpuSecondsByProgram(server.ready.pid, 'postgres') };
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const index = next++;
        const begun = performance.now();
        try {
          await issue(client, { name: nameOf(index), csr: requests[index % NAMES] ?? new Uint8Array(), targets });
          const now = performance.now();
          latencies.push(now - begun);
          longestGapMs = Math.max(longestGapMs, now - lastEnd);
          lastEnd = now;
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error));
        }
      }
    }),
  );
  const elapsedS = (performance.now() - started) / 1000;
  const total = cpuSeconds(server.ready.pid) - before.total;
  const database = cpuSecondsByProgram(server.ready.pid, 'postgres') - before.database;
  await Promise.all(clients.map((client) => client.close()));
  const count = latencies.length;
  return {
    perSecond: count / elapsedS,
    latencies,
    longestGapMs,
    failures,
    cpuMs: (total / count) * 1000,
    databaseCpuMs: (database / count) * 1000,
  };
}

/** Order, authorization, challenge, authorization again, finalize, certificate: six signed requests. */
async function issue(
  client: AcmeTestClient,
  { name, csr, targets }: { readonly name: string; readonly csr: Uint8Array; readonly targets: Targets },
): Promise<void> {
  const { body: order } = await client.newOrder([name]);
  for (const url of order.authorizations) {
    const { body: authorization } = await client.authorization(url);
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) throw new Error('No http-01 challenge is offered.');
    targets.http.serve(challenge.token, client.keyAuthorization(challenge.token));
    await client.respond(challenge.url);
    await client.pollUntil<{ status: string }>(url, { until: ({ status }) => status !== 'pending' });
  }
  const finalized = await client.finalize(order.finalize, csr);
  const { certificate } = finalized.body;
  if (certificate === undefined) throw new Error(`No certificate: ${finalized.text.slice(0, 300)}`);
  const { text, status } = await client.download(certificate);
  if (status !== 200 || !text.includes('BEGIN CERTIFICATE')) throw new Error(`No certificate in the answer ${status}.`);
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
  const of = (name: string) => `${name}, ${concurrency} at once`;
  for (const failure of new Set(run.failures)) console.error(failure);
  return [
    { name: of('certificates per second'), value: run.perSecond, unit: '/s', ...goal('rate') },
    { name: of('CPU per certificate'), value: run.cpuMs, unit: 'ms', ...goal('cpu') },
    { name: of('of that the database'), value: run.databaseCpuMs, unit: 'ms' },
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
          name: 'rate of 32 at once over 8 at once',
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
