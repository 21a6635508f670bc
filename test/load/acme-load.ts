// Clients that get certificates from a server of ACME over and over: HTTPS, ES256 accounts, P-256 keys, names looked up
// in a real DNS, http-01 really fetched.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createAcmeTestClient, type AcmeTestClient } from '../../packages/testkit/src/acme/acme-client.ts';
import type { AcmeOrder } from '../../packages/testkit/src/acme/acme-objects.ts';
import {
  startHttpChallengeServer,
  type HttpChallengeServer,
} from '../../packages/testkit/src/acme/challenge-servers.ts';
import { startDnsServer, type DnsServer } from '../../packages/testkit/src/acme/dns-server.ts';
import { makeSigningRequest } from '../../packages/testkit/src/acme/signing-request.ts';
import { cpuSeconds, cpuSecondsByProgram } from './server-process.ts';

export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;
export const TASKSET = '/usr/bin/taskset';
/** Names that are asked for in turn; an inventory has many certificates of one name. */
const NAMES = 64;

export interface Targets {
  readonly http: HttpChallengeServer;
  readonly dns: DnsServer;
}

export async function startTargets(): Promise<Targets> {
  const zone = Object.fromEntries(
    Array.from({ length: NAMES }, (_, index) => [nameOf(index), [{ type: 'A', address: '127.0.0.1' } as const]]),
  );
  return { http: await startHttpChallengeServer(), dns: await startDnsServer(zone) };
}

const nameOf = (index: number): string => `h${index % NAMES}.bench.test`;

/** One request for each name, each with a key of its own. */
export const makeRequests = (): Promise<Uint8Array[]> =>
  Promise.all(
    Array.from({ length: NAMES }, async (_, index) => (await makeSigningRequest({ names: [nameOf(index)] })).der),
  );

export function pinToCore(core: number): void {
  if (existsSync(TASKSET)) execFileSync(TASKSET, ['-a', '-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}

/** A server of ACME that certificates are got from. */
export interface AcmeServer {
  readonly directoryUrl: string;
  /** Whose time is counted, with all processes below it. */
  readonly pid: number;
  /** What its own certificate is checked against, in PEM. */
  readonly ca: Uint8Array;
}

export interface AcmeLoad {
  readonly server: AcmeServer;
  readonly targets: Targets;
  readonly requests: readonly Uint8Array[];
  readonly concurrency: number;
  readonly seconds: number;
}

export interface Run {
  readonly perSecond: number;
  readonly latencies: readonly number[];
  /** Longest time in which no certificate was finished. */
  readonly longestGapMs: number;
  readonly failures: readonly string[];
  readonly cpuMs: number;
  readonly databaseCpuMs: number;
}

export async function load({ server, targets, requests, concurrency, seconds }: AcmeLoad): Promise<Run> {
  const clients = await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const client = createAcmeTestClient(server);
      await client.newAccount();
      return client;
    }),
  );
  const latencies: number[] = [];
  const failures: string[] = [];
  let next = 0;
  let lastEnd = performance.now();
  let longestGapMs = 0;
  const before = { total: cpuSeconds(server.pid), database: cpuSecondsByProgram(server.pid, 'postgres') };
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
  const total = cpuSeconds(server.pid) - before.total;
  const database = cpuSecondsByProgram(server.pid, 'postgres') - before.database;
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
  const { body: order, location: orderUrl = '' } = await client.newOrder([name]);
  for (const url of order.authorizations) {
    const { body: authorization } = await client.authorization(url);
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) throw new Error('No http-01 challenge is offered.');
    targets.http.serve(challenge.token, client.keyAuthorization(challenge.token));
    await client.respond(challenge.url);
    await client.pollUntil<{ status: string }>(url, { until: ({ status }) => status !== 'pending', intervalMs: 5 });
  }
  const finalized = await client.finalize(order.finalize, csr);
  // Some servers are still at work when they answer.
  const ended =
    finalized.body.status === 'processing'
      ? await client.pollUntil<AcmeOrder>(orderUrl, { until: ({ status }) => status !== 'processing', intervalMs: 5 })
      : finalized;
  const { certificate } = ended.body;
  if (certificate === undefined) throw new Error(`No certificate: ${ended.text.slice(0, 300)}`);
  const { text, status } = await client.download(certificate);
  if (status !== 200 || !text.includes('BEGIN CERTIFICATE')) throw new Error(`No certificate in the answer ${status}.`);
}
