// Issuing over REST with the record stored: server and its database on one core, this client on the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@signetry/client';
import { percentile, type BenchmarkReport } from './report.ts';
import { makeRequest } from './requests.ts';
import { drive } from './rest-load.ts';
import { cpuSeconds, peakMemoryMiB, startServerProcess, type ServerProcess } from './server-process.ts';
import { isTokenKind, nameOfKind, openTokens, type TokensForBench } from './token-keys.ts';

const SERVER_CORE = 0;

export async function benchIssue(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const seconds = Number(options.get('seconds') ?? 15);
  const concurrency = Number(options.get('concurrency') ?? 32);
  const keyAlgorithm = options.get('ca') ?? 'P-256';
  const key = options.get('key');
  const kind = isTokenKind(key) ? key : undefined;
  const requests = await makeRequests(Number(options.get('requests') ?? 4_000));
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const tokens = await openTokens(kind);
  const server = await startServerProcess({ directory, core: SERVER_CORE, args: tokens.args });
  try {
    const path = await issuePath(server, { keyAlgorithm, tokens: kind && tokens });
    const bodies = requests.map((request) => JSON.stringify({ request, attributes: [] }));
    const load = { server, path, bodies, concurrency, isGood: holdsCertificate };
    await drive({ ...load, seconds: Math.min(5, seconds) }); // cold code and cold plans cost a third more
    const cpuBefore = cpuSeconds(server.ready.pid);
    const result = await drive({ ...load, seconds });
    const cpu = cpuSeconds(server.ready.pid) - cpuBefore;
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
      notes: [`${seconds} s after a warm-up, server and database pinned to one core where taskset is there.`],
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

const holdsCertificate = (answer: string): boolean => /"certificateData":"[^"]/.test(answer);

/** Requests with keys of their own, Base64 of DER. */
async function makeRequests(count: number): Promise<string[]> {
  const requests: string[] = [];
  for (let index = 0; index < count; index += 1) requests.push(await makeRequest(`host-${index}`));
  return requests;
}

/** Path of the issue operation: the default RA profile, or one of a new authority with the wanted key. */
async function issuePath(
  server: ServerProcess,
  { keyAlgorithm, tokens }: { readonly keyAlgorithm: string; readonly tokens: TokensForBench | undefined },
): Promise<string> {
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const profiles = await client.raProfiles.listRaProfiles();
  const standard = profiles.find(({ name }) => name === 'default');
  if (!standard?.authorityInstanceUuid) throw new Error('There is no RA profile `default`.');
  let [authority, profile] = [standard.authorityInstanceUuid, standard.uuid];
  if (tokens || keyAlgorithm !== 'P-256') {
    const { connectorUuid = '' } = await client.authorities.getAuthorityInstance({ params: { uuid: authority } });
    const definitions = await client.connectors.getConnectorAttributes({
      params: { uuid: connectorUuid, functionGroup: 'authorityProvider', kind: 'SoftwareCA' },
    });
    const fields = definitions.flatMap((each) => (each.type === 'group' ? (each.content ?? []) : [each]));
    const name = tokens ? 'data_tokenKey' : 'data_keyAlgorithm';
    const uuid = fields.find((field) => field.name === name)?.uuid ?? '';
    const data = tokens ? (await tokens.newKey(client, keyAlgorithm)).key.uuid : keyAlgorithm;
    const attributes = [{ uuid, name, contentType: 'string' as const, content: [{ data }] }];
    ({ uuid: authority } = await client.authorities.createAuthorityInstance({
      body: { name: `Bench ${keyAlgorithm}`, connectorUuid, kind: 'SoftwareCA', attributes },
    }));
    ({ uuid: profile } = await client.raProfiles.createRaProfile({
      params: { authorityUuid: authority },
      body: { name: 'bench', attributes: [] },
    }));
    await client.raProfiles.enableRaProfile({ params: { authorityUuid: authority, raProfileUuid: profile } });
  }
  return `/api/v2/operations/authorities/${authority}/raProfiles/${profile}/certificates`;
}
