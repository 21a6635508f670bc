// Reading the statistics of a large inventory: a mixed population with counters maintained by triggers, as in
// production.
import { Database, openSocketDirectory } from '@signetry/server/database';
import { createStatisticsService } from '../../packages/server/src/areas/statistics/service.ts';
import { findCountMismatches, fold, lock } from '../../packages/server/src/areas/statistics/store-upkeep.ts';
import { createAuditArea } from '../../packages/server/src/areas/audit/index.ts';
import type { Action, Resource } from '@signetry/contract';
import { coreContext, type PermissionSet, type ResourceRights } from '../../packages/server/src/kernel/actor.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { fillCertificates, PROFILES } from './certificates-in-database.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';

/** Statements under full load between two runs of the job that folds deltas into the counters. */
const UNFOLDED = 500;

export async function benchStatistics(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 1_000_000);
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    return {
      name: `Statistics of ${certificates.toLocaleString('en')} certificates`,
      figures: await measure(database, certificates),
      notes: ['Medians of 15 calls of the use case, with database and caller on the same machine.'],
    };
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

async function measure(database: Database, certificates: number): Promise<Figure[]> {
  const platform = testPlatform(database);
  const { trail: audit } = createAuditArea(platform);
  const service = createStatisticsService(platform, { audit });
  const context = {
    ...coreContext('bench'),
    audit: { module: 'core', resource: 'dashboard', operation: 'update' } as const,
  };
  const filled = await timed(() => fillCertificates(database, certificates));
  await foldAll(database);
  await database.query('VACUUM (ANALYZE)');
  const [rows] = await database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM certificate_count) + (SELECT count(*) FROM certificate_expiry_day)
       + (SELECT count(*) FROM certificate_expiry_hour) AS count`,
  );
  const figures: Figure[] = [
    { name: 'rows of counters', value: rows?.count ?? 0, unit: '' },
    { name: 'filling, per certificate', value: (filled * 1000) / certificates, unit: 'us' },
  ];
  const all = { includeArchived: true };
  const calls = {
    dashboard: () => service.dashboard({ includeArchived: false }, context),
    'dashboard with the archive': () => service.dashboard(all, context),
    'algorithms and protocols': () => service.breakdown(all, context),
    'issued on each of 90 days': () => service.issued(all, context),
    'expiring on each day of a year': () => service.expiring({ ...all, step: 'day' }, context),
  };
  for (const [name, call] of Object.entries(calls))
    figures.push({ name, value: await medianOf(15, call), unit: 'ms', goal: '<= 50' });
  for (const [name, profiles, hidden] of LIMITED) {
    const limited = { ...context, actor: { ...context.actor, permissions: rightsOn(profiles, hidden) } };
    const call = () => service.dashboard({ includeArchived: false }, limited);
    figures.push({ name: `dashboard of ${name}`, value: await medianOf(5, call), unit: 'ms' });
  }
  await writeDeltas(database);
  const [deltas] = await database.query<{ count: number }>('SELECT count(*) FROM certificate_count_delta');
  figures.push({
    name: `dashboard with ${deltas?.count ?? 0} deltas`,
    value: await medianOf(15, calls.dashboard),
    unit: 'ms',
    goal: '<= 50',
  });
  figures.push({ name: 'folding the deltas', value: await timed(() => foldAll(database)), unit: 'ms' });
  figures.push({
    name: 'the same counts by GROUP BY',
    value: await timed(() => findCountMismatches(database.executor)),
    unit: 'ms',
  });
  figures.push({ name: 'rebuild', value: await timed(() => service.rebuild(context)), unit: 'ms' });
  return figures;
}

/**
 * Callers whose certificates are counted individually: number of RA profiles in their permissions, and whether these
 * are hidden.
 */
const LIMITED = [
  ['a member of one RA profile', 1, false],
  ['a member of a quarter of them', PROFILES / 4, false],
  ['a member of all but one', 1, true],
] as const;

function rightsOn(profiles: number, hidden: boolean): PermissionSet {
  const named = new Set<Action>(['members', 'list']);
  const none = new Set<Action>();
  const right = hidden ? { allowed: none, denied: named } : { allowed: named, denied: none };
  const uuids = Array.from(
    { length: profiles },
    (_, n) => `00000000-0000-0000-0000-${String(n + 1).padStart(12, '0')}`,
  );
  const all = { allowAllActions: true, actions: none };
  const resources = new Map<Resource, ResourceRights>([
    ['certificates', all],
    ['authorities', all],
    ['groups', all],
    ['raProfiles', { allowAllActions: hidden, actions: none, objects: new Map(uuids.map((uuid) => [uuid, right])) }],
  ]);
  return { allowAllResources: false, resources };
}

/** Writes deltas as batched issuance does. */
async function writeDeltas(database: Database): Promise<void> {
  for (let statement = 0; statement < UNFOLDED; statement += 1)
    await database.query(
      `UPDATE certificate SET validation_status = 'not_checked', not_after = not_after + $2 * interval '1 hour'
       WHERE uuid = ('00000000-0000-0000-0002-' || lpad($1::text, 12, '0'))::uuid`,
      [statement * 37 + 1, statement],
    );
}

async function foldAll(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await lock(tx);
    while (await fold(tx, 50_000));
  });
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
