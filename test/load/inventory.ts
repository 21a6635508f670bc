// The inventory with a million certificates from a client's perspective: pages, filters, totals and statistics over
// HTTP, with the platform and database on one core.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateSearchResult, type FilterConditionOperator, type FilterFieldSource } from '@signetry/contract';
import { fillCertificates } from './certificates-in-database.ts';
import { inDatabaseOf } from './database-of-server.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';
import { cpuSeconds, startServerProcess, type ServerProcess } from './server-process.ts';

const CLIENTS = 8;
const REQUESTS = 4_000;
/** Calls per latency measurement; the first call is reported separately. */
const DEFAULT_CALLS = 25;
const PAGE = { itemsPerPage: 10, pageNumber: 1 };

interface Measured {
  readonly path?: string;
  readonly body?: object;
  /** Targets in milliseconds for the median and the first call. */
  readonly goal?: number;
  readonly firstGoal?: number;
  /** Number of the search page whose final cursor is used. */
  readonly after?: number;
}

const filter = (
  fieldIdentifier: string,
  condition: FilterConditionOperator,
  value?: unknown,
  fieldSource: FilterFieldSource = 'property',
) => ({ fieldSource, fieldIdentifier, condition, value });

const list = (...filters: object[]): Measured => ({ body: { ...PAGE, filters } });
const selective = (...filters: object[]): Measured => ({ ...list(...filters), goal: 10 });
const broad = (...filters: object[]): Measured => ({ ...list(...filters), goal: 10, firstGoal: 150 });
const SEARCH = '/x/v1/certificates/search';
const search = (more: object): Measured => ({ path: SEARCH, body: { ...PAGE, ...more } });
const continuedSearch = (more: object): Measured => ({ ...search(more), after: 3_000, goal: 10 });

const issued = filter('CERTIFICATE_STATE', 'EQUALS', ['issued']);

const requests: Readonly<Record<string, Measured>> = {
  'page 10,000': { body: { ...PAGE, pageNumber: 10_000 }, goal: 25 },
  'page of 1,000': { body: { ...PAGE, itemsPerPage: 1_000 } },
  'name contains, one hit': selective(filter('COMMON_NAME', 'CONTAINS', '-12345.')),
  'alternative name contains, one hit': selective(filter('SUBJECT_ALTERNATIVE_NAMES', 'CONTAINS', '-12345.')),
  'name begins': selective(filter('COMMON_NAME', 'STARTS_WITH', 'web-99')),
  'custom attribute': selective(filter('costCenter|STRING', 'EQUALS', 'CC0042', 'custom')),
  'issuer and state': selective(filter('ISSUER_COMMON_NAME', 'EQUALS', 'Issuing CA 42'), issued),
  'issuer and key size': selective(
    filter('ISSUER_COMMON_NAME', 'EQUALS', 'Issuing CA 42'),
    filter('KEY_SIZE', 'EQUALS', ['2048']),
  ),
  'name contains, a sixteenth of all': broad(filter('COMMON_NAME', 'CONTAINS', 'prague')),
  'alternative name contains, a sixteenth': broad(filter('SUBJECT_ALTERNATIVE_NAMES', 'CONTAINS', 'prague')),
  'issuer of half of all, and state': broad(filter('ISSUER_COMMON_NAME', 'EQUALS', 'Issuing CA 1'), issued),
  'expires in 30 days, and state': list(filter('NOT_AFTER', 'IN_NEXT', 'P30D'), issued),
  'RA profile': broad(filter('RA_PROFILE_NAME', 'EQUALS', ['profile 3'])),
  group: broad(filter('GROUP_NAME', 'EQUALS', ['group 7'])),
  state: broad(issued),
  'key size': broad(filter('KEY_SIZE', 'EQUALS', ['2048'])),
  'regular expression': list(filter('COMMON_NAME', 'MATCHES', '^web-9999')),
  'free text, one hit': { ...search({ text: '-12345.' }), goal: 10 },
  'free text, a sixteenth of all': search({ text: 'prague' }),
  'sorted by name': search({ sort: [{ field: 'commonName', direction: 'asc' }] }),
  'sorted by expiry': search({ sort: [{ field: 'notAfter', direction: 'asc' }] }),
  'sorted by state, page 50': search({ sort: [{ field: 'state', direction: 'asc' }], pageNumber: 50 }),
  'sorted by serial number': { ...search({ sort: [{ field: 'serialNumber', direction: 'desc' }] }), goal: 10 },
  'serial number': selective(filter('SERIAL_NUMBER', 'EQUALS', createHash('md5').update('12345').digest('hex'))),
  'substring of a serial number': list(filter('SERIAL_NUMBER', 'CONTAINS', 'abcdef')),
  'with a cursor after page 3,000': continuedSearch({}),
  'the same, sorted by name': continuedSearch({ sort: [{ field: 'commonName', direction: 'asc' }] }),
  'the same, sorted by serial number': continuedSearch({ sort: [{ field: 'serialNumber', direction: 'desc' }] }),
  'the same, sorted by expiry, name contains': continuedSearch({
    sort: [{ field: 'notAfter', direction: 'asc' }],
    filters: [filter('COMMON_NAME', 'CONTAINS', 'prague')],
  }),
  'dashboard statistics': { path: '/v1/statistics', goal: 15 },
};

/** `--data=DIR`: uses an existing inventory and keeps it. */
export async function benchInventory(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 1_000_000);
  const core = Number(options.get('core') ?? 0);
  const calls = Number(options.get('calls') ?? DEFAULT_CALLS);
  const filled = options.get('data');
  const directory = filled ?? mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  try {
    if (filled === undefined) await seed(directory, certificates);
    // Restart first, so that pages and query plans are those of a platform in normal operation with this inventory.
    const server = await startServerProcess({ directory, core });
    try {
      return {
        name: `Inventory of ${certificates.toLocaleString('en')} certificates`,
        figures: await measure(server, calls),
        notes: [
          `Platform and database on core ${core}, the client on another. Newest first: ${REQUESTS.toLocaleString('en')} requests of ${CLIENTS} clients; others: first call, and median of ${calls - 1} more, one client.`,
        ],
      };
    } finally {
      await server.stop();
    }
  } finally {
    if (filled === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function seed(directory: string, certificates: number): Promise<void> {
  const server = await startServerProcess({ directory });
  await inDatabaseOf(directory, async (database) => {
    await fillCertificates(database, certificates);
    await database.query('VACUUM (ANALYZE)');
  });
  // These requests load the database buffers, as on a platform in use; a restart restores the buffers.
  const call = createCaller(server);
  for (const { path = '/v1/certificates', body, after } of Object.values(requests))
    if (after === undefined) await call(path, body);
  await server.stop();
}

async function measure(server: ServerProcess, calls: number): Promise<Figure[]> {
  const call = createCaller(server);
  const figures: Figure[] = [];
  for (const [name, { path = '/v1/certificates', body: asked, goal, firstGoal, after }] of Object.entries(requests)) {
    const times: number[] = [];
    const cursor = after === undefined ? undefined : await cursorAfter(server, asked, after);
    // A small inventory has no such page.
    if (after !== undefined && cursor === undefined) continue;
    const body = cursor === undefined ? asked : { ...asked, cursor };
    const spent = [cpuSeconds(server.ready.pid)];
    for (let turn = 0; turn < calls; turn += 1) {
      times.push(await timed(() => call(path, body)));
      if (turn === 0) spent.push(cpuSeconds(server.ready.pid));
    }
    const [first = 0, ...others] = times;
    const [before = 0, between = 0] = spent;
    const ofFirst = (between - before) * 1000;
    const ofOthers = ((cpuSeconds(server.ready.pid) - between) * 1000) / others.length;
    figures.push({ name: `${name}, first`, value: first, unit: 'ms', ...goalOf(firstGoal) });
    figures.push({ name, value: median(others), unit: 'ms', ...goalOf(goal) });
    // CPU time hardly depends on other load. The sum has a resolution of 10 ms.
    figures.push({ name: `${name}, CPU time of the first`, value: ofFirst, unit: 'ms' });
    figures.push({ name: `${name}, CPU time`, value: ofOthers, unit: 'ms' });
  }
  const newest = await measureNewest(server, call);
  return [
    ...newest,
    ...figures,
    { name: 'memory on the platform', value: residentMiB(server.ready.pid), unit: 'MiB', goal: '<= 400' },
  ];
}

const goalOf = (milliseconds: number | undefined): { goal?: string } =>
  milliseconds === undefined ? {} : { goal: `<= ${milliseconds}` };

async function measureNewest(server: ServerProcess, call: Caller): Promise<Figure[]> {
  for (let turn = 0; turn < 500; turn += 1) await call('/v1/certificates', PAGE);
  const times: number[] = [];
  const before = cpuSeconds(server.ready.pid);
  const started = performance.now();
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) times.push(await timed(() => call('/v1/certificates', PAGE)));
    }),
  );
  const perSecond = (REQUESTS * 1000) / (performance.now() - started);
  const cpu = ((cpuSeconds(server.ready.pid) - before) * 1000) / REQUESTS;
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(REQUESTS * 0.95)] ?? 0;
  return [
    { name: 'newest first, page 1 and total', value: perSecond, unit: 'requests/s', goal: '>= 1500' },
    { name: 'p95', value: p95, unit: 'ms', goal: '<= 10' },
    { name: 'CPU time per request', value: cpu, unit: 'ms' },
  ];
}

type Caller = (path: string, body: object | undefined) => Promise<void>;

/** Sends requests with Node's HTTP client. The response is read completely but not parsed. */
function createCaller({ ready }: ServerProcess): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const { hostname, port, pathname } = new URL(ready.api);
  const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
  return (path, body) =>
    new Promise((resolve, reject) => {
      const method = body ? 'POST' : 'GET';
      const sent = request({ agent, hostname, port, path: pathname + path, method, headers }, (answer) => {
        answer.resume();
        answer.once('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
        );
      });
      sent.once('error', reject);
      sent.end(body && JSON.stringify(body));
    });
}

/** Returns undefined if the page does not exist or is the last one. */
async function cursorAfter(
  { ready }: ServerProcess,
  body: object | undefined,
  pageNumber: number,
): Promise<string | undefined> {
  const answer = await fetch(ready.api + SEARCH, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, pageNumber }),
  });
  return CertificateSearchResult.parse(await answer.json()).nextCursor;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const residentMiB = (pid: number): number => {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0);
  return (pages * 4096) / 2 ** 20;
};
