// Clients that continuously obtain certificates from an ACME server: HTTPS, ES256 accounts, P-256 keys, real DNS
// lookups, real http-01 requests.
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
/** Names requested in turn; an inventory has many certificates per name. */
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

/** Creates one CSR per name, each with a different key. */
export const makeRequests = (): Promise<Uint8Array[]> =>
  Promise.all(
    Array.from({ length: NAMES }, async (_, index) => (await makeSigningRequest({ names: [nameOf(index)] })).der),
  );

export function pinToCore(core: number): void {
  if (existsSync(TASKSET)) execFileSync(TASKSET, ['-a', '-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}

/** ACME server under test. */
export interface AcmeServer {
  readonly directoryUrl: string;
  /** Process whose CPU time is measured, including its descendants. */
  readonly pid: number;
  /** Trust anchor for the server's TLS certificate, in PEM. */
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
  /** Longest time without a completed certificate. */
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
  // Some servers respond before they have finished processing.
  const ended =
    finalized.body.status === 'processing'
      ? await client.pollUntil<AcmeOrder>(orderUrl, { until: ({ status }) => status !== 'processing', intervalMs: 5 })
      : finalized;
  const { certificate } = ended.body;
  if (certificate === undefined) throw new Error(`No certificate: ${ended.text.slice(0, 300)}`);
  const { text, status } = await client.download(certificate);
  if (status !== 200 || !text.includes('BEGIN CERTIFICATE'))
    throw new Error(`No certificate in the response (${status}).`);
}
