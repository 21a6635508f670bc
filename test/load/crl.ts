// A long CRL: the time from the acknowledgement of a revocation to the published CRL that contains it. The longest
// event loop stall and the memory are those of the server process.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@signetry/client';
import { findRevoked, parseCertificate, parseCrl } from '@signetry/pki';
import { fillRevocations, inDatabaseOf } from './database-of-server.ts';
import { longestTurnMs, LOOP_MONITOR } from './loop-turns.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';
import { makeRequest } from './requests.ts';
import { cpuSeconds, peakMemoryMiB, startServerProcess, type ServerProcess } from './server-process.ts';

/** A CRL without the certificate after this time is considered a failure. */
const GIVE_UP_AFTER_MS = 120_000;

export async function benchCrl(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const entries = Number(options.get('entries') ?? 100_000);
  const rounds = Number(options.get('rounds') ?? 10);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const monitor = join(directory, 'loop-monitor');
  const server = await startServerProcess({
    directory,
    environment: { NODE_OPTIONS: `--import ${LOOP_MONITOR}`, LOOP_MONITOR_FILE: monitor },
  });
  try {
    await inDatabaseOf(directory, (database) => fillRevocations(database, entries));
    const memoryBefore = residentMiB(server.ready.pid);
    const measured = await measure(server, { rounds, monitor });
    return {
      name: `CRL with ${entries.toLocaleString('en')} entries, ${rounds} revocations one after the other`,
      figures: [
        { name: 'memory before the first CRL', value: memoryBefore, unit: 'MiB' },
        ...measured,
        {
          name: 'peak memory of the server process',
          value: peakMemoryMiB(server.ready.pid),
          unit: 'MiB',
          goal: '<= 350',
        },
      ],
      notes: [
        'The first CRL is built from all rows, and later CRLs from the previous CRL. Event loop delay depends on the load of the machine; CPU time does not.',
      ],
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  server: ServerProcess,
  { rounds, monitor }: { readonly rounds: number; readonly monitor: string },
): Promise<readonly Figure[]> {
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const profile = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
  if (!profile?.authorityInstanceUuid) throw new Error('RA profile `default` not found.');
  const params = { authorityUuid: profile.authorityInstanceUuid, raProfileUuid: profile.uuid };
  const stalls: number[] = [];
  const turns: number[] = [];
  const waits: number[] = [];
  const cpus: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { uuid, certificateData } = await client.clientOperations.issueCertificate({
      params,
      body: { request: await makeRequest(`crl-${round}`), attributes: [] },
    });
    const { serialBytes } = parseCertificate(Buffer.from(certificateData ?? '', 'base64'));
    await longestStallMs(server);
    await longestTurnMs(server, monitor);
    const cpuBefore = cpuSeconds(server.ready.pid);
    const started = performance.now();
    await client.clientOperations.revokeCertificate({
      params: { ...params, certificateUuid: uuid },
      body: { reason: 'superseded', attributes: [] },
    });
    bytes = await waitUntilPublished(server, params.authorityUuid, { serialBytes, started });
    waits.push(performance.now() - started);
    cpus.push((cpuSeconds(server.ready.pid) - cpuBefore) * 1000);
    stalls.push(await longestStallMs(server));
    turns.push(await longestTurnMs(server, monitor));
  }
  return [
    {
      name: 'longest CPU time between two turns of the event loop, first CRL',
      value: turns[0] ?? Number.NaN,
      unit: 'ms',
      goal: '<= 50',
    },
    {
      name: 'longest CPU time between two turns, later CRLs',
      value: Math.max(...turns.slice(1)),
      unit: 'ms',
      goal: '<= 50',
    },
    { name: 'event loop delay, first CRL', value: stalls[0] ?? Number.NaN, unit: 'ms' },
    { name: 'event loop delay, later CRLs, median', value: median(stalls.slice(1)), unit: 'ms' },
    { name: 'time from acknowledged revocation to published CRL, median', value: median(waits), unit: 'ms' },
    { name: 'CPU of server and database per revocation, median', value: median(cpus), unit: 'ms' },
    { name: 'size of the CRL', value: bytes / 2 ** 20, unit: 'MiB' },
    { name: 'memory after the last CRL', value: residentMiB(server.ready.pid), unit: 'MiB' },
  ];
}

/** Waits for a CRL that contains the certificate, and returns its size. */
async function waitUntilPublished(
  server: ServerProcess,
  authorityUuid: string,
  wanted: { readonly serialBytes: Uint8Array; readonly started: number },
): Promise<number> {
  const url = new URL(`/crl/${authorityUuid}.crl`, server.ready.http);
  for (let etag = ''; ;) {
    const answer = await fetch(url, { headers: { 'if-none-match': etag } });
    const der = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 200 && findRevoked(parseCrl(der), wanted.serialBytes)) return der.length;
    if (performance.now() - wanted.started > GIVE_UP_AFTER_MS)
      throw new Error('The CRL does not list the certificate.');
    etag = answer.headers.get('etag') ?? '';
    await delay(50);
  }
}

/** Returns the server's longest event loop stall since the last call. */
async function longestStallMs(server: ServerProcess): Promise<number> {
  const headers = { authorization: `Bearer ${server.ready.token}` };
  const text = await (await fetch(new URL('/metrics', server.ready.http), { headers })).text();
  return Number(/^signetry_event_loop_delay_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
