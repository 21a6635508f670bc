// Permission decisions and their cost for lists: a role with many objects, and users who can see one percent of a
// million certificates, each for a different reason.
import { platformOperations } from '@signetry/contract';
import { Database, openSocketDirectory } from '@signetry/server/database';
import { createCertificateList } from '../../packages/server/src/areas/inventory/search/list.ts';
import { createRememberedTotals } from '../../packages/server/src/areas/inventory/search/store-totals.ts';
import { createCertificateFields } from '../../packages/server/src/areas/inventory/search/search-fields.ts';
import { evaluateAccess } from '../../packages/server/src/areas/identity/permissions/authorize.ts';
import { mergePermissions } from '../../packages/server/src/areas/identity/permissions/permission-rows.ts';
import { fold, lock } from '../../packages/server/src/areas/statistics/store-upkeep.ts';
import { coreContext, type Actor, type RequestContext } from '../../packages/server/src/kernel/actor.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { fillCertificates } from './certificates-in-database.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';

const OBJECTS = 1_000;
const DECISIONS = 200_000;
const CALLS = 25;
const USER = '00000000-0000-0000-0009-000000000001';
const PROFILE = '00000000-0000-0000-0000-000000009999';
const GROUP = '00000000-0000-0000-0001-000000009999';

export async function benchPermissions(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 1_000_000);
  return {
    name: `Permissions, with ${certificates.toLocaleString('en')} certificates`,
    figures: [...decisions(), ...(await lists(certificates))],
    notes: [
      `Decisions: CPU time, means of ${DECISIONS.toLocaleString('en')}. Lists: first page and exact total, medians of ${CALLS}.`,
    ],
  };
}

const userWith = (
  rows: readonly (readonly [string, string])[],
  objects: readonly (readonly [string, string, string])[],
): Actor => ({
  type: 'user',
  authMethod: 'token',
  userUuid: USER,
  username: 'bench',
  permissions: mergePermissions(
    rows.map(([resource, action]) => ({ resource, action })),
    objects.map(([resource, action, object_uuid]) => ({ resource, action, object_uuid, denied: false })),
  ),
});

const numberedUuid = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;

function decisions(): Figure[] {
  const objects = Array.from({ length: OBJECTS }, (_, n) => ['groups', 'detail', numberedUuid(n)] as const);
  const actor = userWith([], [...objects, ['groups', 'list', numberedUuid(OBJECTS - 1)]]);
  const { getGroup, listGroups } = platformOperations;
  const questions = {
    'permitted object': { access: getGroup.access, params: { uuid: numberedUuid(OBJECTS / 2) } },
    'denied object': { access: getGroup.access, params: { uuid: numberedUuid(OBJECTS * 2) } },
    'list of some objects': { access: listGroups.access, params: {} },
  };
  return Object.entries(questions).map(([name, question]) => {
    const ask = () => evaluateAccess(actor, { ...question, mayBootstrap: false });
    for (let index = 0; index < DECISIONS / 10; index += 1) ask();
    const before = process.cpuUsage();
    for (let index = 0; index < DECISIONS; index += 1) ask();
    const { user, system } = process.cpuUsage(before);
    const value = (user + system) / DECISIONS;
    return { name: `decision, role of ${OBJECTS} objects: ${name}`, value, unit: 'us', goal: '<= 5' };
  });
}

/** Users who can see one percent of the certificates, by the reason. */
const LISTERS: Readonly<Record<string, Actor>> = {
  'an RA profile': userWith([['certificates', 'list']], [['raProfiles', 'members', PROFILE]]),
  ownership: userWith([], []),
  'a group': userWith([], [['groups', 'members', GROUP]]),
  'all three': userWith(
    [['certificates', 'list']],
    [
      ['raProfiles', 'members', PROFILE],
      ['groups', 'members', GROUP],
    ],
  ),
};

async function lists(certificates: number): Promise<Figure[]> {
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    await fillCertificates(database, certificates);
    await assignSome(database, certificates);
    const list = createCertificateList(testPlatform(database), {
      fields: createCertificateFields([]),
      totals: createRememberedTotals(),
    });
    const page = (context: RequestContext) => () => list({ itemsPerPage: 10, pageNumber: 1 }, context);
    const all = await medianOf(page(coreContext('bench')));
    const figures: Figure[] = [{ name: 'list of all', value: all, unit: 'ms' }];
    for (const [name, actor] of Object.entries(LISTERS)) {
      const call = page({ ...coreContext('bench'), actor });
      const { totalItems } = await call();
      const value = await medianOf(call);
      const goal = `<= ${(all * 1.2).toFixed(1)}`;
      figures.push({ name: `list of ${totalItems.toLocaleString('en')} by ${name}`, value, unit: 'ms', goal });
    }
    return figures;
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

const CHUNK = 1_000;

/** Assigns one percent to an RA profile, a different percent to the user and a third to a group. */
async function assignSome(database: Database, certificates: number): Promise<void> {
  await database.query(
    `INSERT INTO ra_profile (uuid, name, enabled, created_at, updated_at) VALUES ($1, 'one in a hundred', true, now(), now())`,
    [PROFILE],
  );
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'one in a hundred', now(), now())`,
    [GROUP],
  );
  const among = `uuid = ANY(ARRAY(SELECT ('00000000-0000-0000-0002-' || lpad((n * 100 + $4::int)::text, 12, '0'))::uuid
    FROM generate_series($2::int, $3::int) AS n))`;
  const gifts = [
    [`UPDATE certificate SET ra_profile_uuid = $1 WHERE ${among}`, PROFILE],
    [`UPDATE certificate SET owner_uuid = $1, owner_username = 'bench' WHERE ${among}`, USER],
    [
      `INSERT INTO group_membership (object_resource, object_uuid, group_uuid)
       SELECT 'certificates', uuid, $1 FROM certificate WHERE ${among}`,
      GROUP,
    ],
  ] as const;
  for (let first = 0; first < certificates / 100; first += CHUNK) {
    const last = Math.min(first + CHUNK, certificates / 100) - 1;
    for (const [place, [statement, to]] of gifts.entries())
      await database.query(statement, [to, first, last, 7 + place]);
  }
  await database.transaction(async (tx) => {
    await lock(tx);
    while (await fold(tx, 50_000));
  });
  await database.query('VACUUM (ANALYZE)');
}

async function medianOf(call: () => Promise<unknown>): Promise<number> {
  await call();
  const times: number[] = [];
  for (let turn = 0; turn < CALLS; turn += 1) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return median(times);
}
