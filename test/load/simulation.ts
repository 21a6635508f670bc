// Simulation of a different validity period for a large inventory whose certificates are in locations, in tokens,
// issued to ACME clients, or none of these.
import { Database, openSocketDirectory } from '@signetry/server/database';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { runAsWork } from '../../packages/server/src/platform/database/query-limits.ts';
import { createSimulation } from '../../packages/server/src/areas/renewals/simulation.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { fillCertificates } from './certificates-in-database.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';

export async function benchSimulation(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 100_000);
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    return {
      name: `Simulation of a different lifetime, ${certificates.toLocaleString('en')} certificates`,
      figures: await runAsWork('long', () => measure(database, certificates)),
      notes: ['Medians of 5 calls of the use case, with database and caller on the same machine.'],
    };
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

async function measure(database: Database, certificates: number): Promise<Figure[]> {
  await fillCertificates(database, certificates);
  // All certificates are in use: none is archived, revoked or expired.
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
  for (const statement of WAYS) await database.query(statement);
  await database.query('VACUUM (ANALYZE)');
  const simulate = createSimulation(testPlatform(database), { isPaused: async () => false });
  const call = (lifetimeDays: number) => simulate({ lifetimeDays, days: 365 }, coreContext('bench'));
  const result = await call(47);
  const figures: Figure[] = [
    { name: 'certificates', value: result.certificates, unit: '' },
    { name: 'renewals in a year', value: result.renewals, unit: '' },
    { name: 'renewals with current lifetimes', value: result.renewalsNow, unit: '' },
  ];
  for (const lifetime of [200, 100, 47])
    figures.push({
      name: `simulation of ${lifetime} days`,
      value: (await medianOf(5, () => call(lifetime))) / 1_000,
      unit: 's',
      goal: '<= 5',
    });
  return figures;
}

/** Creates an authority. Every sixth certificate has its key in a token; every fifth replaces another one. */
const WAYS = [
  `INSERT INTO connector (uuid, name, url, auth_type, status, created_at, updated_at)
   VALUES ('00000000-0000-0000-0006-000000000001', 'bench', 'http://127.0.0.1:1', 'none', 'connected', now(), now())`,
  `INSERT INTO authority (uuid, name, connector_uuid, connector_name, connector_authority_uuid, kind, status, created_at, updated_at)
   VALUES ('00000000-0000-0000-0007-000000000001', 'bench', '00000000-0000-0000-0006-000000000001', 'bench',
     '00000000-0000-0000-0007-000000000001', 'bench', 'connected', now(), now())`,
  `UPDATE ra_profile SET authority_uuid = '00000000-0000-0000-0007-000000000001'`,
  `INSERT INTO key (uuid, name, created_at, updated_at)
   SELECT uuid, uuid::text, now(), now() FROM certificate WHERE key_size = 256 AND protocol IS NULL`,
  `INSERT INTO key_item (uuid, key_uuid, name, type, algorithm, format, length, public_key_fingerprint, usages, enabled, state, created_at, updated_at)
   SELECT uuid, uuid, 'private', 'Private', 'ECDSA', 'Raw', 256, public_key_fingerprint, 1, true, 'active', now(), now()
   FROM certificate WHERE key_size = 256 AND protocol IS NULL`,
  `INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
   SELECT uuid, (SELECT uuid FROM certificate WHERE state = 'issued' ORDER BY uuid LIMIT 1), 'renewal', now()
   FROM (SELECT uuid, row_number() OVER (ORDER BY uuid) AS n FROM certificate) AS numbered WHERE n % 5 = 2`,
];

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
