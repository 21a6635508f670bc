// A long CRL: what a revocation costs while many others are in the list, from its acknowledgement to the published list
// that names it. The loop's longest stall and the memory are those of the server process.
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

/** A list that does not name the certificate by then never will. */
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
        { name: 'memory before the first list', value: memoryBefore, unit: 'MiB' },
        ...measured,
        {
          name: 'peak memory of the server process',
          value: peakMemoryMiB(server.ready.pid),
          unit: 'MiB',
          goal: '<= 350',
        },
      ],
      notes: [
        'The first list is made from all rows; the later ones from the list before. How late the loop is depends on what else the machine does; processor time does not.',
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
  if (!profile?.authorityInstanceUuid) throw new Error('There is no RA profile `default`.');
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
    bytes = await published(server, params.authorityUuid, { serialBytes, started });
    waits.push(performance.now() - started);
    cpus.push((cpuSeconds(server.ready.pid) - cpuBefore) * 1000);
    stalls.push(await longestStallMs(server));
    turns.push(await longestTurnMs(server, monitor));
  }
  return [
    {
      name: 'processor time between two turns of the loop at most, first list',
      value: turns[0] ?? Number.NaN,
      unit: 'ms',
      goal: '<= 50',
    },
    { name: 'the same, later lists', value: Math.max(...turns.slice(1)), unit: 'ms', goal: '<= 50' },
    { name: 'loop late at most, first list', value: stalls[0] ?? Number.NaN, unit: 'ms' },
    { name: 'the same, later lists, median', value: median(stalls.slice(1)), unit: 'ms' },
    { name: 'acknowledged revocation to published list, median', value: median(waits), unit: 'ms' },
    { name: 'CPU of server and database for it, median', value: median(cpus), unit: 'ms' },
    { name: 'length of the list', value: bytes / 2 ** 20, unit: 'MiB' },
    { name: 'memory after the last list', value: residentMiB(server.ready.pid), unit: 'MiB' },
  ];
}

/** Waits for the list that names a certificate; answers its length. */
async function published(
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
      throw new Error('The list does not name the certificate.');
    etag = answer.headers.get('etag') ?? '';
    await delay(50);
  }
}

/** The longest stall of the server's event loop since the last call. */
async function longestStallMs(server: ServerProcess): Promise<number> {
  const headers = { authorization: `Bearer ${server.ready.token}` };
  const text = await (await fetch(new URL('/metrics', server.ready.http), { headers })).text();
  return Number(/^signetry_event_loop_delay_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
