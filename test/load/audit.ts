// Cost of the audit log: changes with and without a record, pages and searches of a large log, exports.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, type Client } from '@signetry/client';
import type { FilterConditionOperator, SearchFilterRequestDto } from '@signetry/contract';
import { Database, openSocketDirectory } from '@signetry/server/database';
import { createExternalAuditSink } from '../../packages/server/src/areas/audit/external-sink.ts';
import { createAuditSealer } from '../../packages/server/src/areas/audit/sealer.ts';
import { createAuditService } from '../../packages/server/src/areas/audit/service.ts';
import { createAuditKey } from '../../packages/server/src/areas/audit/store-key.ts';
import * as store from '../../packages/server/src/areas/audit/store.ts';
import { createAuditTrail } from '../../packages/server/src/areas/audit/trail.ts';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';
import { startServerProcess } from './server-process.ts';

/** Changes per round. Rounds with and without records alternate, so that slow minutes affect both. */
const CHANGES = 300;
const DEFAULT_ROUNDS = 8;

const ALIVE_INTERVAL_MS = 100;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // V8's `gc` function.

export async function benchAudit(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const records = Number(options.get('records') ?? 1_000_000);
  const rounds = Number(options.get('rounds') ?? DEFAULT_ROUNDS);
  return {
    name: `Audit log of ${records.toLocaleString('en')} records`,
    figures: [...(rounds > 0 ? await changes(rounds) : []), ...(await logOf(records))],
    notes: [
      `Changes: PUT of a group, sequential, ${rounds} rounds of ${CHANGES} with the output DATABASE and as many with NONE, alternating; medians of the rounds.`,
      'Lists: medians of 5 calls of the use case, with page and exact total; of page 1 without filters, 15. Exports: read to their end in the process of the platform; memory is what lives after a collection, at its peak, more than before; the process itself grows until V8 collects.',
    ],
  };
}

async function changes(rounds: number): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const server = await startServerProcess({ directory });
  try {
    const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
    const { uuid } = await client.groups.createGroup({ body: { name: 'bench' } });
    const times = { NONE: [] as number[], DATABASE: [] as number[] };
    await changeMany(client, uuid);
    for (let round = 0; round < rounds; round += 1)
      for (const output of ['NONE', 'DATABASE'] as const) {
        const logged = { logAllModules: true, logAllResources: true };
        await client.loggingSettings.updateLoggingSettings({
          body: { auditLogs: { ...logged, output }, eventLogs: logged },
        });
        times[output].push(await changeMany(client, uuid));
      }
    const [without, recorded] = [median(times.NONE), median(times.DATABASE)];
    return [
      { name: 'change without record', value: without, unit: 'ms' },
      { name: 'change with record', value: recorded, unit: 'ms' },
      { name: 'cost of the record', value: (recorded / without - 1) * 100, unit: '%', goal: '<= 15' },
    ];
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the mean time per change in milliseconds. */
async function changeMany(client: Client, uuid: string): Promise<number> {
  const started = performance.now();
  for (let change = 0; change < CHANGES; change += 1)
    await client.groups.editGroup({ params: { uuid }, body: { name: 'bench', description: `change ${change}` } });
  return (performance.now() - started) / CHANGES;
}

async function logOf(records: number): Promise<Figure[]> {
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    const filled = await timed(() => fill(database, records));
    const platform = testPlatform(database);
    const trail = createAuditTrail(platform);
    const outside = createExternalAuditSink(platform, { endIntervalMs: 3_600_000 });
    const key = createAuditKey(platform);
    const sealer = createAuditSealer(platform, { key, outside, endIntervalMs: 3_600_000 });
    const service = createAuditService(platform, { trail, sealer, key });
    const page = { itemsPerPage: 10, pageNumber: 1 };
    const figures: Figure[] = [{ name: 'filling, per record', value: (filled * 1000) / records, unit: 'us' }];
    const firstPage = () => store.findPage(database.executor, { conditions: [], page });
    figures.push({ name: 'page 1 and total, in SQL', value: await medianOf(15, firstPage), unit: 'ms', goal: '<= 5' });
    for (const [name, filters] of Object.entries(searches(records)))
      figures.push({ name, value: await medianOf(5, () => service.list({ ...page, filters })), unit: 'ms' });
    const context = {
      ...coreContext('bench'),
      audit: { module: 'core', resource: 'auditLogs', operation: 'export' } as const,
    };
    figures.push(...(await measureExport('CSV in a ZIP archive', records, () => service.exportArchive([], context))));
    figures.push(...(await measureExport('JSON lines', records, () => service.exportLines([], context))));
    return figures;
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

function searches(records: number): Readonly<Record<string, SearchFilterRequestDto[]>> {
  const by = (
    fieldIdentifier: string,
    value: unknown,
    condition: FilterConditionOperator = 'EQUALS',
  ): SearchFilterRequestDto => ({ fieldSource: 'property', fieldIdentifier, condition, value });
  const middle = `00000000-0000-0000-0002-${String(Math.floor(records / 2)).padStart(12, '0')}`;
  return {
    'of one object, by its UUID': [by('AUDIT_LOG_RESOURCE_UUID', middle)],
    'of one object, by its name': [by('AUDIT_LOG_RESOURCE_NAME', `host-${Math.floor(records / 2)}.example`)],
    'of one role as affiliated resource': [by('AUDIT_LOG_AFFILIATED_RESOURCE_UUID', '00000000-0000-0000-0003-000000000007')], // prettier-ignore
    'of a user with a thousandth of the records': [by('AUDIT_LOG_ACTOR_NAME', 'user-77')],
    'of a user without records': [by('AUDIT_LOG_ACTOR_NAME', 'nobody')],
    'failures, one in a hundred': [by('AUDIT_LOG_OPERATION_RESULT', ['failure'])],
    'of the last hour': [by('AUDIT_LOG_TIMESTAMP', 'PT1H', 'IN_PAST')],
    'of a resource, a third': [by('AUDIT_LOG_RESOURCE', ['users'])],
    'of an operation, a fifth': [by('AUDIT_LOG_OPERATION', ['revoke'])],
    'from an address': [by('AUDIT_LOG_SOURCE_IP_ADDRESS', '192.0.2.7')],
    'a substring of a message': [by('AUDIT_LOG_MESSAGE', 'number 500 ', 'CONTAINS')],
  };
}

/** Inserts records one second apart, sealed as far as the list operation can see. */
async function fill(database: Database, records: number): Promise<void> {
  const chunk = 100_000;
  for (let first = 1; first <= records; first += chunk)
    await database.query(
      `INSERT INTO audit_record (node_id, "timestamp", module, operation, operation_result, resource, resource_objects, affiliated_resource,
         affiliated_objects, actor_type, actor_auth_method, actor_uuid, actor_name, source_method, source_path, source_content_type,
         source_ip_address, source_user_agent, message)
       SELECT '00000000-0000-7000-8000-000000000001', now() - ($3 - n) * interval '1 second',
         (ARRAY['certificates', 'auth', 'core'])[1 + n % 3], (ARRAY['issue', 'create', 'update', 'revoke', 'delete'])[1 + n % 5],
         CASE WHEN n % 100 = 0 THEN 'failure' ELSE 'success' END, (ARRAY['certificates', 'users', 'groups'])[1 + n % 3],
         jsonb_build_array(jsonb_build_object('uuid', '00000000-0000-0000-0002-' || lpad(n::text, 12, '0'), 'name', 'host-' || n || '.example')),
         CASE WHEN n % 10 = 0 THEN 'roles' END, CASE WHEN n % 10 = 0 THEN
           jsonb_build_array(jsonb_build_object('uuid', '00000000-0000-0000-0003-' || lpad((n / 10 % 1000)::text, 12, '0'), 'name', 'role')) END,
         'user', 'token', '00000000-0000-0000-0001-000000000001', 'user-' || n % 1000, 'POST', '/api/v2/operations/certificates/' || n,
         'application/json', '192.0.2.' || n % 250, 'Mozilla/5.0 (X11; Linux x86_64)',
         CASE WHEN n % 100 = 0 THEN 'Request number ' || n || ' was rejected' END
       FROM generate_series($1::int, $2::int) AS n`,
      [first, Math.min(first + chunk - 1, records), records],
    );
  await database.query(
    `INSERT INTO audit_chain (node_id, seal_number, next_sequence, chain_value)
     VALUES ('00000000-0000-7000-8000-000000000001', 0, $1, ''::bytea)`,
    [records + 1],
  );
  await database.query('VACUUM (ANALYZE) audit_record');
}

/** Measures rows per second and, in a second run with repeated garbage collection, the peak of live memory. */
async function measureExport(
  name: string,
  records: number,
  open: () => Promise<{ readonly file: NodeJS.ReadableStream } | undefined>,
): Promise<Figure[]> {
  const readToEnd = async (onChunk: () => void) => {
    const result = await open();
    if (!result) throw new Error('The export is empty.');
    await pipeline(result.file, new Writable({ write: (_chunk, _encoding, done) => (onChunk(), done()) }));
  };
  const took = await timed(() => readToEnd(() => undefined));
  const before = liveMemory();
  let [peak, next] = [before, 0];
  await readToEnd(() => {
    if (performance.now() < next) return;
    peak = Math.max(peak, liveMemory());
    next = performance.now() + ALIVE_INTERVAL_MS;
  });
  return [
    { name: `export as ${name}`, value: (records * 1000) / took, unit: 'records/s', goal: '>= 20000' },
    { name: 'retained memory', value: (peak - before) / 2 ** 20, unit: 'MiB', goal: '<= 64' },
  ];
}

/**
 * Bytes still in use after garbage collection. The process size is misleading: V8 lets garbage grow to a multiple of
 * this.
 */
function liveMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) times.push(await timed(work));
  return median(times);
}
