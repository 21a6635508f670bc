// A rehearsal of another lifetime over a large inventory, in which certificates are in locations, in tokens, of ACME
// clients and of nobody.
import { Database, openSocketDirectory } from '@signetry/server';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { asWork } from '../../packages/server/src/platform/database/query-limits.ts';
import { createRehearsal } from '../../packages/server/src/areas/renewals/rehearsal.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { fillCertificates } from './certificates-in-database.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';

export async function benchRehearsal(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 100_000);
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    return {
      name: `Rehearsal of another lifetime, ${certificates.toLocaleString('en')} certificates`,
      figures: await asWork('long', () => measure(database, certificates)),
      notes: ['Medians of 5 calls of the use case, database and caller on the same machine.'],
    };
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

async function measure(database: Database, certificates: number): Promise<Figure[]> {
  await fillCertificates(database, certificates);
  // All are in use: none is in the archive, revoked or over.
  await database.query(
    `UPDATE certificate SET archived = false, state = 'issued', not_before = now() - (n % 60) * interval '1 day',
       not_after = now() + CASE n % 2 WHEN 0 THEN 90 ELSE 398 END * interval '1 day' - (n % 60) * interval '1 day'
     FROM (SELECT uuid, row_number() OVER (ORDER BY uuid) AS n FROM certificate) AS numbered
     WHERE numbered.uuid = certificate.uuid`,
  );
  await database.query(
    `INSERT INTO renewal_setting (ra_profile_uuid, automatic, days_before, token_keys)
     SELECT uuid, true, NULL, true FROM ra_profile WHERE uuid::text < '00000000-0000-0000-0000-000000000021'`,
  );
  await database.query('VACUUM (ANALYZE)');
  const rehearse = createRehearsal(testPlatform(database), { isPaused: async () => false });
  const call = (lifetimeDays: number) => rehearse({ lifetimeDays, days: 365 }, coreContext('bench'));
  const result = await call(47);
  const figures: Figure[] = [
    { name: 'certificates', value: result.certificates, unit: '' },
    { name: 'renewals in a year', value: result.renewals, unit: '' },
    { name: 'renewals with the lifetimes of today', value: result.renewalsNow, unit: '' },
  ];
  for (const lifetime of [200, 100, 47])
    figures.push({
      name: `rehearsal of ${lifetime} days`,
      value: (await medianOf(5, () => call(lifetime))) / 1_000,
      unit: 's',
      goal: '<= 5',
    });
  return figures;
}

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
