// Goal: decisions about one object and list filters agree with each other and with the permission model. Method: random
// roles over a small set of objects in a real database, compared with an oracle written from the tables of the model. A
// failure reports its seed; PERMISSION_SEED=… repeats it.
import {
  platformOperations,
  type Action,
  type CertificateSearchResult,
  type Operation,
  type UserDto,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, expect, it } from 'vitest';
import { createCertificateAccess, findBelongings } from '../areas/certificates/access.ts';
import { createCertificateFields } from '../areas/inventory/search/search-fields.ts';
import { createCertificateList } from '../areas/inventory/search/list.ts';
import { createRememberedTotals } from '../areas/inventory/search/store-totals.ts';
import { createCertificateSearch } from '../areas/inventory/search/search.ts';
import { insertRows } from '../areas/certificates/testing/certificate-rows.ts';
import { createIdentities } from '../areas/identity/gatekeeper/identities.ts';
import { createAccessEvaluator } from '../areas/identity/gatekeeper/shared-objects.ts';
import { allowedListings, visibleResponse, type AccessCheck } from '../areas/identity/permissions/authorize.ts';
import { identityFixture, type IdentityFixture } from '../areas/identity/testing/identity-fixture.ts';
import { randomNumbers } from '../areas/statistics/testing/activity.ts';
import type { Actor, RequestContext } from '../kernel/actor.ts';
import { isAppError } from '../kernel/errors.ts';
import { newUuid } from '../kernel/ids.ts';
import type { Database } from '../platform/database/database.ts';
import { isAuthorized, isListed, canAct, type Right, type WorldObject } from './testing/permission-oracle.ts';

const SETS = 300;
const SEED = Number(process.env.PERMISSION_SEED ?? 20261122);
const ACTIONS = ['list', 'detail', 'update', 'delete', 'members'] as const satisfies readonly Action[];
/** Resources; the first three support permissions on single objects. */
const RESOURCES = ['raProfiles', 'authorities', 'groups', 'certificates', 'users'] as const;
const BY_OBJECT = RESOURCES.slice(0, 3);

let database: Database;
let fixture: IdentityFixture;
let world: readonly WorldObject[];
let authorities: readonly string[];
const roles = [newUuid(), newUuid(), newUuid()];

function randomFrom(seed: number) {
  const next = randomNumbers(seed);
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    isOneIn: (count: number) => below(count) === 0,
    one: <Value>(values: readonly Value[]): Value => values[below(values.length)] ?? expect.fail('nothing to choose'),
    some: <Value>(values: readonly Value[], share: number): Value[] => values.filter(() => next() < share),
  };
}
type Random = ReturnType<typeof randomFrom>;

const of = (resource: WorldObject['resource']) => world.filter((each) => each.resource === resource);

function createWorld(random: Random): readonly WorldObject[] {
  const createMany = (count: number, make: () => Omit<WorldObject, 'uuid'>): WorldObject[] =>
    Array.from({ length: count }, () => ({ uuid: newUuid(), ...make() }));
  const plain = { parent: null, owner: null, groups: [] };
  const groups = createMany(4, () => ({ ...plain, resource: 'groups' }));
  const groupUuids = groups.map(({ uuid }) => uuid);
  const users = createMany(6, () => ({ ...plain, resource: 'users', groups: random.some(groupUuids, 0.3) }));
  const profiles = createMany(5, () => ({ ...plain, resource: 'raProfiles', parent: random.one(authorities) }));
  const certificates = createMany(16, () => ({
    resource: 'certificates',
    parent: random.isOneIn(6) ? null : random.one(profiles).uuid,
    owner: random.isOneIn(3) ? random.one(users).uuid : null,
    groups: random.some(groupUuids, 0.2),
  }));
  return [...groups, ...users, ...profiles, ...certificates];
}

beforeAll(async () => {
  database = await testDatabase();
  fixture = await identityFixture(database);
  authorities = [newUuid(), newUuid()];
  world = createWorld(randomFrom(SEED));
  const named = (name: string) => of(name as WorldObject['resource']).map(({ uuid }) => uuid);
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) SELECT g, g::text, now(), now() FROM unnest($1::uuid[]) g`,
    [named('groups')],
  );
  await database.query(
    `INSERT INTO ra_profile (uuid, name, enabled, created_at, updated_at) SELECT p, p::text, true, now(), now() FROM unnest($1::uuid[]) p`,
    [named('raProfiles')],
  );
  await database.query(
    `INSERT INTO platform_user (uuid, username, enabled, is_system, created_at, updated_at)
     SELECT u, u::text, true, false, now(), now() FROM unnest($1::uuid[]) u`,
    [named('users')],
  );
  await database.query(
    `INSERT INTO role (uuid, name, is_system, created_at, updated_at) SELECT r, r::text, false, now(), now() FROM unnest($1::uuid[]) r`,
    [roles],
  );
  await insertRows(
    database,
    of('certificates').map(({ uuid, parent, owner }) => ({
      uuid,
      common_name: uuid,
      ra_profile_uuid: parent,
      owner_uuid: owner,
      owner_username: owner,
    })),
  );
  const members = world.flatMap(({ resource, uuid, groups }) => groups.map((group) => ({ resource, uuid, group })));
  await database.query(
    `INSERT INTO group_membership (object_resource, object_uuid, group_uuid)
     SELECT resource, uuid, "group" FROM jsonb_to_recordset($1::jsonb) AS m (resource text, uuid uuid, "group" uuid)`,
    [JSON.stringify(members)],
  );
});

/** Permission rows of random roles. Few of them grant much, so that rows about single objects are decisive. */
function randomRights(random: Random): readonly (Right & { readonly role: string })[] {
  const row = (facts: Partial<Right>): Right => ({
    resource: null,
    action: null,
    object: null,
    denied: false,
    ...facts,
  });
  const objectsOf = (resource: string) =>
    resource === 'authorities'
      ? authorities
      : world.filter((each) => each.resource === resource).map(({ uuid }) => uuid);
  const rows: (Right & { role: string })[] = [];
  for (const role of random.some(roles, 0.7)) {
    const add = (facts: Partial<Right>) => void rows.push({ role, ...row(facts) });
    if (random.isOneIn(20)) add({});
    for (const resource of RESOURCES) {
      if (random.isOneIn(12)) add({ resource });
      for (const action of random.some(ACTIONS, 0.25)) add({ resource, action });
    }
    for (const resource of BY_OBJECT)
      for (const object of random.some(objectsOf(resource), 0.4)) {
        for (const action of random.some(ACTIONS, 0.5)) add({ resource, action, object, denied: random.isOneIn(4) });
      }
  }
  return rows;
}

async function grantRights(user: string, rights: ReturnType<typeof randomRights>): Promise<void> {
  await database.query('DELETE FROM user_role');
  await database.query('DELETE FROM role_permission WHERE role_uuid = ANY($1)', [roles]);
  await database.query('DELETE FROM role_object_permission WHERE role_uuid = ANY($1)', [roles]);
  const held = [...new Set(rights.map(({ role }) => role))];
  await database.query('INSERT INTO user_role (user_uuid, role_uuid) SELECT $1, r FROM unnest($2::uuid[]) r', [
    user,
    held,
  ]);
  await database.query(
    `INSERT INTO role_permission (role_uuid, resource, action)
     SELECT role, resource, action FROM jsonb_to_recordset($1::jsonb) AS r (role uuid, resource text, action text, object uuid)
     WHERE object IS NULL ON CONFLICT DO NOTHING`,
    [JSON.stringify(rights)],
  );
  await database.query(
    `INSERT INTO role_object_permission (role_uuid, resource, object_uuid, action, denied)
     SELECT role, resource, object, action, denied
     FROM jsonb_to_recordset($1::jsonb) AS r (role uuid, resource text, action text, object uuid, denied boolean)
     WHERE object IS NOT NULL`,
    [JSON.stringify(rights)],
  );
}

/** The operation for each action on one object. */
const OPERATIONS: Readonly<Record<WorldObject['resource'], Partial<Readonly<Record<Action, Operation>>>>> = {
  certificates: {
    detail: platformOperations.getCertificate,
    update: platformOperations.updateCertificateObjects,
    delete: platformOperations.deleteCertificate,
  },
  users: {
    detail: platformOperations.getUser,
    update: platformOperations.updateUser,
    delete: platformOperations.deleteUser,
  },
  groups: {
    detail: platformOperations.getGroup,
    update: platformOperations.editGroup,
    delete: platformOperations.deleteGroup,
  },
  raProfiles: {
    detail: platformOperations.getRaProfile,
    update: platformOperations.editRaProfile,
    delete: platformOperations.deleteRaProfile,
  },
};

/** The platform under test: the functions that run before and after its route handlers. */
function createSubject() {
  const { platform } = fixture;
  const decide = createAccessEvaluator(platform, () => ({ ...fixture.area.belongings, certificates: findBelongings }));
  const assertVisible = createCertificateAccess(platform);
  const fields = createCertificateFields([]);
  const totals = createRememberedTotals();
  const list = createCertificateList(platform, { fields, totals });
  const search = createCertificateSearch(platform, { fields, totals });
  const page = { itemsPerPage: 100, pageNumber: 1 };
  const passes = async (actor: Actor, question: Omit<AccessCheck, 'mayBootstrap'>) =>
    (await decide(actor, { ...question, mayBootstrap: false })).kind === 'allowed';
  const isShown = (uuids: readonly string[], context: RequestContext, action: Action): Promise<boolean> =>
    assertVisible(uuids, { context, action }).then(
      () => true,
      (error: unknown) => !isAppError(error) && expect.fail(String(error)),
    );

  return {
    async may(context: RequestContext, action: Action, { uuid, parent, resource }: WorldObject): Promise<boolean> {
      const { access, also } = OPERATIONS[resource][action] ?? expect.fail(`no operation to ${action} ${resource}`);
      const params = { uuid, userUuid: uuid, raProfileUuid: uuid, authorityUuid: parent ?? '' };
      if (!(await passes(context.actor, { access, also, params }))) return false;
      return resource !== 'certificates' || isShown([uuid], context, action);
    },
    async mayReadContents(context: RequestContext, uuids: readonly string[]): Promise<boolean> {
      const { access, also } = platformOperations.getCertificateContent;
      const question = { access, also, params: {}, objects: uuids, body: uuids };
      return (await passes(context.actor, question)) && isShown(uuids, context, 'detail');
    },
    async listed(context: RequestContext, resource: WorldObject['resource']): Promise<readonly (readonly string[])[]> {
      const { actor } = context;
      const uuidsOf = (rows: readonly { readonly uuid: string }[]) => rows.map(({ uuid }) => uuid).toSorted();
      if (resource === 'certificates') {
        const [listed, found]: [{ totalItems: number; certificates: { uuid: string }[] }, CertificateSearchResult] =
          await Promise.all([list(page, context), search(page, context)]);
        expect([listed.totalItems, found.totalItems]).toEqual([listed.certificates.length, listed.certificates.length]);
        return [uuidsOf(listed.certificates), uuidsOf(found.certificates)];
      }
      if (resource === 'users') {
        const there = new Set(of('users').map(({ uuid }) => uuid));
        const rows = await fixture.call<UserDto[]>('listUsers', { context });
        return [uuidsOf(rows.filter(({ uuid }) => there.has(uuid)))];
      }
      const operation = resource === 'groups' ? platformOperations.listGroups : platformOperations.listRaProfiles;
      return [uuidsOf(visibleResponse(actor.permissions, operation, of(resource)) as { uuid: string }[])];
    },
  };
}

it('decisions on objects and filters on lists match the permission model', { timeout: 120_000 }, async () => {
  const random = randomFrom(SEED + 1);
  const subject = createSubject();
  const identities = createIdentities(fixture.platform);
  const counted = { allowed: 0, denied: 0, listed: 0, hidden: 0 };
  for (let set = 0; set < SETS; set += 1) {
    const user = random.one(of('users')).uuid;
    const rights = randomRights(random);
    await grantRights(user, rights);
    identities.forget();
    const context = {
      signal: new AbortController().signal,
      actor: await identities.actorOf(user, 'token'),
    } as RequestContext;
    const place = `PERMISSION_SEED=${SEED}, set ${set}`;
    const acts = world.flatMap((object) =>
      (['detail', random.one(['update', 'delete'] as const)] as const).map((action) => ({ action, object })),
    );
    await Promise.all(
      acts.map(async ({ action, object }) => {
        const expected = canAct(user, rights, { action, object });
        if ((await subject.may(context, action, object)) !== expected)
          expect.fail(`${place}: ${action} should be ${expected}: ${JSON.stringify({ user, rights, object })}`);
        counted[expected ? 'allowed' : 'denied'] += 1;
      }),
    );
    for (const resource of ['certificates', 'users', 'groups', 'raProfiles'] as const) {
      const expected = of(resource)
        .filter((object) => isListed(user, rights, resource === 'raProfiles' ? { ...object, parent: null } : object))
        .map(({ uuid }) => uuid)
        .toSorted();
      for (const listed of await subject.listed(context, resource))
        expect(listed, `${place}: list of ${resource}`).toEqual(expected);
      const isOpen = allowedListings(context.actor.permissions).includes(resource);
      if (resource !== 'raProfiles' && expected.length > 0) expect(isOpen, `${place}: ${resource} is open`).toBe(true);
      counted.listed += expected.length;
      counted.hidden += of(resource).length - expected.length;
    }
    const some = random.some(of('certificates'), 0.1);
    if (some.length > 0)
      expect(
        await subject.mayReadContents(
          context,
          some.map(({ uuid }) => uuid),
        ),
        `${place}: contents`,
      ).toBe(some.every((object) => canAct(user, rights, { action: 'detail', object })));
  }
  console.log(`${SETS} sets: ${JSON.stringify(counted)}`);
  for (const count of Object.values(counted)) expect(count).toBeGreaterThan(1_000);
});

it('the oracle itself matches unambiguous cases of the model', () => {
  const right = (facts: Partial<Right>): Right => ({
    resource: 'groups',
    action: null,
    object: null,
    denied: false,
    ...facts,
  });
  const ask = (action: string, uuids: string[], ...rights: Right[]) =>
    isAuthorized(rights, { resource: 'groups', action, uuids });
  expect(ask('list', ['a'], right({ resource: null }), right({ action: 'list', object: 'a', denied: true }))).toBe(
    false,
  );
  expect(ask('members', ['a', 'b'], right({ action: 'members', object: 'a' }))).toBe(true);
  expect(ask('detail', ['a', 'b'], right({ action: 'detail', object: 'a' }))).toBe(false);
});
