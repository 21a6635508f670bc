// Certificates that expire soon, in a larger inventory: they are found, recorded once and added to the outbox.
import { Database, openSocketDirectory } from '@signetry/server/database';
import { createExpiryRaiser } from '../../packages/server/src/areas/expiry/raise.ts';
import { runAsWork } from '../../packages/server/src/platform/database/query-limits.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { fillCertificates } from './certificates-in-database.ts';
import type { BenchmarkReport, Figure } from './report.ts';

const DAYS = [30, 14, 7, 1];

export async function benchExpiry(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 250_000);
  const expiring = Number(options.get('expiring') ?? 100_000);
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    return {
      name: `${expiring.toLocaleString('en')} certificates that expire soon, of ${certificates.toLocaleString('en')}`,
      figures: await runAsWork('long', () => measure(database, { certificates, expiring })),
      notes: ['Written to disk; database and caller are on the same machine.'],
    };
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

async function measure(
  database: Database,
  { certificates, expiring }: { readonly certificates: number; readonly expiring: number },
): Promise<Figure[]> {
  const platform = testPlatform(database);
  platform.events.subscribe({ event: 'certificate_expiring', queue: 'bench', handle: async () => {} });
  await fillCertificates(database, certificates);
  // All others expire later, and every twentieth of these is archived.
  await database.query(
    `UPDATE certificate SET archived = false, state = CASE WHEN n <= $1 THEN 'issued' ELSE state END,
       not_after = now() + CASE WHEN n <= $1 THEN (1 + n % 28) * interval '1 day' ELSE interval '60 days' END
     FROM (SELECT uuid, row_number() OVER (ORDER BY uuid) AS n FROM certificate) AS numbered
     WHERE numbered.uuid = certificate.uuid`,
    [expiring],
  );
  await database.query('VACUUM (ANALYZE)');
  const raise = createExpiryRaiser({ platform, platformDays: async () => DAYS });
  const { signal } = new AbortController();
  const first = await timed(() => raise(signal));
  const [outbox] = await database.query<{ count: number }>('SELECT count(*) FROM event_outbox');
  const again = await timed(() => raise(signal));
  return [
    { name: 'found, recorded and queued', value: first.ms / 1_000, unit: 's', goal: '<= 20' },
    { name: 'certificates', value: first.result, unit: '' },
    { name: 'events in the outbox', value: outbox?.count ?? 0, unit: '' },
    { name: 'repeated check without changes', value: again.ms / 1_000, unit: 's' },
    { name: 'reported again', value: again.result, unit: '', goal: '<= 0' },
  ];
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ readonly ms: number; readonly result: Result }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}
