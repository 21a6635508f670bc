// Mixed load with a long CRL, after uploads designed to be expensive: issuance, revocation, reads, lists, counts and
// the CRL itself. Measures the memory of the server process and the longest turn of its event loop.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@signetry/client';
import { fillRevocations, inDatabaseOf } from './database-of-server.ts';
import { hostileUploads } from './hostile-uploads.ts';
import { percentile, type BenchmarkReport, type Figure } from './report.ts';
import { longestTurnMs, LOOP_MONITOR } from './loop-turns.ts';
import { makeRequest } from './requests.ts';
import { cpuSeconds, peakMemoryMiB, startServerProcess, type ServerProcess } from './server-process.ts';

/** CSRs with different keys, reused from the first when exhausted, as renewals do. */
const REQUESTS = 500;
/** CPU time limit for the most expensive hostile upload. */
const CPU_GOAL_SECONDS = 1;

interface Samples {
  readonly latencies: Map<string, number[]>;
  readonly failures: Map<string, number>;
}

export async function benchMixed(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const seconds = Number(options.get('seconds') ?? 60);
  const clients = Number(options.get('clients') ?? 8);
  const entries = Number(options.get('entries') ?? 100_000);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const monitor = join(directory, 'loop-monitor');
  const server = await startServerProcess({
    directory,
    environment: { NODE_OPTIONS: `--import ${LOOP_MONITOR}`, LOOP_MONITOR_FILE: monitor },
  });
  try {
    await inDatabaseOf(directory, (database) => fillRevocations(database, entries));
    const hostile = options.get('hostile') === 'no' ? [] : await measureHostile(server, monitor);
    const before = peakMemoryMiB(server.ready.pid);
    await longestTurnMs(server, monitor);
    const samples = await work(server, { seconds, clients });
    return {
      name: `Mixed load of ${clients} clients during a CRL with ${entries.toLocaleString('en')} entries`,
      figures: [
        ...hostile,
        { name: 'peak memory before the mixed load', value: before, unit: 'MiB' },
        ...figuresOf(samples),
        {
          name: 'longest turn of the event loop under mixed load',
          value: await longestTurnMs(server, monitor),
          unit: 'ms',
        },
        {
          name: 'peak memory of the server process',
          value: peakMemoryMiB(server.ready.pid),
          unit: 'MiB',
          goal: '<= 350',
        },
      ],
      notes: [
        `${seconds} s. Turns are measured in CPU time between two turns of the event loop, so other load on the machine does not count.`,
        ...failuresOf(samples),
      ],
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Measures each hostile upload on an idle platform: total CPU time, and the longest time that the event loop was
 * blocked.
 */
async function measureHostile(server: ServerProcess, monitor: string): Promise<Figure[]> {
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const figures: Figure[] = [];
  for (const { name, certificates } of await hostileUploads()) {
    await longestTurnMs(server, monitor);
    const before = cpuSeconds(server.ready.pid);
    for (const certificate of certificates)
      await client.certificates
        .uploadCertificate({ body: { certificate, customAttributes: [] } })
        .then(({ uuid }) => client.certificates.getCertificateValidationResult({ params: { uuid } }))
        .catch(() => undefined); // A rejection is as good as a success, because only the cost is measured.
    await delay(500);
    const cpu = cpuSeconds(server.ready.pid) - before;
    figures.push(
      { name: `${name}: CPU`, value: cpu, unit: 's', goal: `<= ${CPU_GOAL_SECONDS}` },
      { name: `${name}: longest turn`, value: await longestTurnMs(server, monitor), unit: 'ms', goal: '<= 50' },
    );
  }
  return figures;
}

async function work(
  server: ServerProcess,
  { seconds, clients }: { readonly seconds: number; readonly clients: number },
): Promise<Samples> {
  const acts = await createOperations(server);
  const total = acts.reduce((sum, { share }) => sum + share, 0);
  const samples: Samples = { latencies: new Map(), failures: new Map() };
  const until = performance.now() + seconds * 1000;
  const run = async (): Promise<void> => {
    while (performance.now() < until) {
      let at = Math.random() * total;
      const act = acts.find(({ share }) => (at -= share) < 0);
      if (!act) continue;
      const started = performance.now();
      try {
        await act.run();
        samples.latencies.set(act.name, [...(samples.latencies.get(act.name) ?? []), performance.now() - started]);
      } catch (error) {
        const words = `${act.name}: ${String(error).slice(0, 120)}`;
        samples.failures.set(words, (samples.failures.get(words) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  return samples;
}

/** Client operations by frequency. */
async function createOperations(server: ServerProcess) {
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const profile = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
  if (!profile?.authorityInstanceUuid) throw new Error('RA profile `default` not found.');
  const authorityUuid = profile.authorityInstanceUuid;
  const params = { authorityUuid, raProfileUuid: profile.uuid };
  const requests = await Promise.all(Array.from({ length: REQUESTS }, (_, index) => makeRequest(`mixed-${index}`)));
  const issued: string[] = [];
  let turn = 0;
  const issue = async (): Promise<void> => {
    const request = requests[turn++ % requests.length] ?? '';
    const { uuid } = await client.clientOperations.issueCertificate({ params, body: { request, attributes: [] } });
    issued.push(uuid);
  };
  const revoke = async (): Promise<void> => {
    const certificateUuid = issued.length > 50 ? issued.shift() : undefined;
    if (certificateUuid === undefined) return;
    const body = { reason: 'superseded' as const, attributes: [] };
    await client.clientOperations.revokeCertificate({ params: { ...params, certificateUuid }, body });
  };
  const detail = async (): Promise<void> => {
    const uuid = issued[Math.floor(Math.random() * issued.length)];
    if (uuid !== undefined) await client.certificates.getCertificate({ params: { uuid } });
  };
  const crl = async (): Promise<void> => {
    const answer = await fetch(new URL(`/crl/${authorityUuid}.crl`, server.ready.http));
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`CRL: ${answer.status}`);
  };
  return [
    { name: 'issue', share: 25, run: issue },
    { name: 'revoke', share: 6, run: revoke },
    { name: 'detail', share: 20, run: detail },
    { name: 'list', share: 10, run: () => client.certificates.listCertificates({ body: { itemsPerPage: 20 } }) },
    { name: 'dashboard', share: 5, run: () => client.statistics.getStatistics({}) },
    { name: 'crl', share: 2, run: crl },
  ];
}

const figuresOf = ({ latencies }: Samples): Figure[] =>
  [...latencies].flatMap(([name, times]) => [
    { name: `${name}, count`, value: times.length, unit: '' },
    { name: `${name}, 95th percentile`, value: percentile(times, 0.95), unit: 'ms' },
  ]);

const failuresOf = ({ failures }: Samples): string[] =>
  failures.size === 0 ? ['No failure.'] : [...failures].map(([words, count]) => `${count} failures of ${words}`);
