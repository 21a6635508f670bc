// Signing over REST with a key in a software token or SoftHSM, including history and audit; and lists of many keys. The
// server and database run on one core, the clients on the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@signetry/client';
import type { Database } from '@signetry/server/database';
import { itemPath, textValue } from '../e2e/testing/tokens.ts';
import { inDatabaseOf } from './database-of-server.ts';
import { percentile, type BenchmarkReport, type Figure } from './report.ts';
import { drive } from './rest-load.ts';
import { cpuSeconds, startServerProcess, type ServerProcess } from './server-process.ts';
import { isTokenKind, nameOfKind, openTokens, type TokensForBench } from './token-keys.ts';

const SERVER_CORE = 0;
const LIST_SECONDS = 2;

export async function benchKeys(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const seconds = Number(options.get('seconds') ?? 10);
  const concurrency = Number(options.get('concurrency') ?? 32);
  const keys = Number(options.get('keys') ?? 100_000);
  const given = options.get('key');
  const kind = isTokenKind(given) ? given : 'token';
  const specification = options.get('specification') ?? 'P-256';
  const tokens = await openTokens(kind);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const server = await startServerProcess({ directory, core: SERVER_CORE, args: tokens.args });
  try {
    const goal = kind === 'hardware' ? '>= 1,000' : '>= 3,000';
    const signing = await sign(server, { seconds, concurrency, tokens, specification, goal });
    if (keys > 0) await inDatabaseOf(directory, (database) => fillKeys(database, keys));
    return {
      name: `Keys: signing over REST with ${specification} in ${nameOfKind(kind)}, ${concurrency} clients; list of ${keys.toLocaleString('en')} keys`,
      figures: [...signing, ...(keys > 0 ? await list(server) : [])],
      notes: [
        `Signing: ${seconds} s after a warm-up. List: newest first, page 1 of 10 with the exact total, one client for ${LIST_SECONDS} s.`,
        'Server and database pinned to one core if taskset is available.',
      ],
    };
  } finally {
    await server.stop();
    await tokens.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function sign(
  server: ServerProcess,
  load: {
    readonly seconds: number;
    readonly concurrency: number;
    readonly tokens: TokensForBench;
    readonly specification: string;
    readonly goal: string;
  },
): Promise<Figure[]> {
  const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
  const { seconds, concurrency, tokens, specification } = load;
  const { path: token, key } = await tokens.newKey(client, specification);
  const { tokenInstanceUuid, tokenProfileUuid, uuid, keyItemUuid } = itemPath(token, key, 'Private');
  const path = `/api/v1/operations/tokens/${tokenInstanceUuid}/tokenProfiles/${tokenProfileUuid}/keys/${uuid}/items/${keyItemUuid}/sign`;
  const scheme = specification.startsWith('RSA') ? [textValue('data_rsaSigScheme', 'PKCS1-v1_5')] : [];
  const body = {
    signatureAttributes: [...scheme, textValue('data_sigDigest', 'SHA-256')],
    data: [{ data: 'aGVsbG8=' }],
  };
  const isGood = (answer: string) => answer.includes('"signatures":[{"data":"');
  const calls = { server, path, bodies: [JSON.stringify(body)], concurrency, isGood };
  await drive({ ...calls, seconds: Math.min(5, seconds) });
  const before = cpuSeconds(server.ready.pid);
  const result = await drive({ ...calls, seconds });
  const cpu = cpuSeconds(server.ready.pid) - before;
  return [
    { name: 'signatures per second', value: result.count / result.seconds, unit: '/s', goal: load.goal },
    { name: 'CPU per signature, server and database', value: (cpu / result.count) * 1000, unit: 'ms' },
    { name: 'latency, 95th percentile', value: percentile(result.latencies, 0.95), unit: 'ms' },
    { name: 'failures', value: result.failures, unit: '', goal: '0' },
  ];
}

/** Keys per statement, so that a statement finishes within its timeout even on a busy machine. */
const KEYS_OF_STATEMENT = 5_000;

/** Inserts key pairs as if they had been generated in a token; one in 5,000 is compromised. */
async function fillKeys(database: Database, keys: number): Promise<void> {
  for (let first = 1; first <= keys; first += KEYS_OF_STATEMENT) {
    const bounds = [first, Math.min(keys, first + KEYS_OF_STATEMENT - 1)];
    await database.query(
      `INSERT INTO key (uuid, name, token_uuid, token_profile_uuid, created_at, updated_at)
       SELECT md5('key' || n)::uuid, 'bench ' || n, p.token_uuid, p.uuid, now() - n * interval '1 second', now()
       FROM generate_series($1::int, $2::int) AS n, (SELECT * FROM token_profile LIMIT 1) AS p`,
      bounds,
    );
    await database.query(
      `INSERT INTO key_item (uuid, key_uuid, name, reference, type, algorithm, format, length, public_key_fingerprint,
         usages, enabled, state, created_at, updated_at)
       SELECT md5(type || n)::uuid, md5('key' || n)::uuid, 'bench ' || n, md5('reference' || type || n), type, 'ECDSA',
         CASE type WHEN 'Public' THEN 'SubjectPublicKeyInfo' ELSE 'Custom' END, 256,
         md5('public' || n) || md5('key' || n), CASE type WHEN 'Public' THEN 2 ELSE 1 END, true,
         CASE n % 5000 WHEN 0 THEN 'compromised' ELSE 'active' END, now() - n * interval '1 second', now()
       FROM generate_series($1::int, $2::int) AS n, unnest(ARRAY['Public', 'Private']) AS type`,
      bounds,
    );
  }
  await database.query('VACUUM ANALYZE key_item');
  await database.query('VACUUM ANALYZE key');
}

const filter = (fieldIdentifier: string, condition: string, value: unknown) => [
  { fieldSource: 'property', fieldIdentifier, condition, value },
];

const searches = {
  'page 1 and total': [],
  'state, nearly all': filter('CKI_STATE', 'EQUALS', ['active']),
  'state, a few': filter('CKI_STATE', 'EQUALS', ['compromised']),
  'algorithm, all': filter('CKI_CRYPTOGRAPHIC_ALGORITHM', 'EQUALS', ['ECDSA']),
  'type, half': filter('CKI_TYPE', 'EQUALS', ['Private']),
  'usage, half': filter('CKI_USAGE', 'EQUALS', ['sign']),
  'name, one pair': filter('CKI_NAME', 'EQUALS', 'bench 77777'),
  'name contains, a few': filter('CKI_NAME', 'CONTAINS', 'bench 7777'),
  'name contains, all': filter('CKI_NAME', 'CONTAINS', 'bench'),
};

async function list(server: ServerProcess): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, filters] of Object.entries(searches)) {
    const bodies = [JSON.stringify({ filters })];
    const isGood = (answer: string) => answer.includes('totalItems');
    const load = { server, path: '/api/v1/keys', concurrency: 1, bodies, isGood };
    await drive({ ...load, seconds: 0.5 });
    const before = cpuSeconds(server.ready.pid);
    const { latencies, count } = await drive({ ...load, seconds: LIST_SECONDS });
    const cpu = cpuSeconds(server.ready.pid) - before;
    figures.push({ name: `list, ${name}: median`, value: percentile(latencies, 0.5), unit: 'ms', goal: '<= 10' });
    figures.push({ name: `list, ${name}: CPU`, value: (cpu / count) * 1000, unit: 'ms' });
  }
  return figures;
}
