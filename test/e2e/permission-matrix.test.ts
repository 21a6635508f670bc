// Goal: every operation rejects callers without permission and accepts callers with permission. Method: every operation
// is called over HTTP by every kind of caller. Calls that would change something name nonexistent objects, except where
// ownership decides; those run last.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import {
  actionsOf,
  permissionResources,
  platformOperations,
  Resource,
  resourceFlags,
  type Operation,
  type ResourcePermissionsRequestDto,
} from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, expect, it } from 'vitest';
import {
  createCallMaker,
  destructiveLast,
  MISSING_OBJECTS,
  ALWAYS_REJECTED,
  type Call,
  type CallMaker,
  type OperationKey,
} from './testing/declared-calls.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import {
  COLUMNS,
  expectedOutcomeOf,
  parentResources,
  type Column,
  type ExpectedOutcome,
} from './testing/expected-access.ts';
import { userWithRole } from './testing/limited-user.ts';
import { createAuthority } from './testing/profiles.ts';

const AT_ONCE = 8;

const server = sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS });
let callOf: CallMaker;
let clients: Readonly<Record<Column, Client>>;
let others: Objects;
let denied: Readonly<Record<'denied' | 'parent', Objects>>;

beforeAll(async () => {
  callOf = await createCallMaker(server);
  const { objects } = callOf;
  others = await makeOthers();
  const named = objectsOf({ ...objects.ofResource, ...objects.others });
  denied = { denied: named, parent: new Map([...named].filter(([resource]) => parentResources.has(resource))) };
  const user = (resources: readonly ResourcePermissionsRequestDto[]) => userWithRole(server, resources);
  const membership = { uuid: objects.groupUuid, name: 'matrix', allow: ['members'] };
  const owner = await user([]);
  clients = {
    anonymous: server.clientOf(),
    none: (await user([])).client,
    other: (await user(rightsOn(others, 'allow'))).client,
    denied: (await user(rightsOn(denied.denied, 'deny'))).client,
    parent: (await user(rightsOn(denied.parent, 'deny'))).client,
    group: (await user([{ name: 'groups', allowAllActions: false, objects: [membership] }])).client,
    owner: owner.client,
    full: server.client,
  };
  const { certificates, keys, users } = server.client;
  await certificates.updateCertificateObjects({
    params: { uuid: objects.certificateUuid },
    body: { groupUuids: [objects.groupUuid], ownerUuid: owner.userUuid },
  });
  await keys.editKey({
    params: { uuid: objects.keys.keyUuid },
    body: { name: 'matrix', description: '', groupUuids: [objects.groupUuid], ownerUuid: owner.userUuid },
  });
  const person = { email: 'matrix@example.com', groupUuids: [objects.groupUuid] };
  await users.updateUser({ params: { userUuid: objects.userUuid }, body: person });
});

type Objects = ReadonlyMap<Resource, string>;

const objectsOf = (uuids: Partial<Record<string, string>>): Objects =>
  new Map(
    Object.entries(uuids).flatMap(([name, uuid]) => {
      const resource = Resource.parse(name);
      return uuid !== undefined && resourceFlags(resource).hasObjectAccess ? [[resource, uuid] as const] : [];
    }),
  );

/** Permissions on every resource: only on these objects, or on the whole resource but denied on these objects. */
const rightsOn = (objects: Objects, effect: 'allow' | 'deny'): ResourcePermissionsRequestDto[] =>
  permissionResources.map((name) => {
    const uuid = objects.get(name);
    const named = uuid === undefined ? {} : { objects: [{ uuid, name, [effect]: [...actionsOf(name)] }] };
    return { name, allowAllActions: effect === 'deny', ...named };
  });

async function makeOthers(): Promise<Objects> {
  const { client } = server;
  const path = await createAuthority(client, { name: 'Other matrix CA' });
  const { uuid: groups } = await client.groups.createGroup({ body: { name: 'other' } });
  const definition = { name: 'other', contentType: 'string', label: 'Other' } as const;
  const { uuid: attributes } = await client.customAttributes.createCustomAttribute({ body: definition });
  return objectsOf({ raProfiles: path.raProfileUuid, authorities: path.authorityUuid, groups, attributes });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same call, with nonexistent objects. */
const withUnknownObjects = (call: Call): Call =>
  // The copy has the same shape.
  JSON.parse(JSON.stringify(call), (member, value: unknown) => {
    const { username, named } = callOf.objects;
    const isName = member === 'providerName' || value === username || value === named.oid;
    return typeof value === 'string' && (UUID.test(value) || isName) ? randomUUID() : value;
  }) as Call;

const REFUSALS: Readonly<Record<ExpectedOutcome, readonly number[]>> = {
  unauthenticated: [401],
  refused: [403],
  hidden: [403, 404],
  allowed: [401, 403],
  either: [401],
};

interface Outcome {
  readonly key: OperationKey;
  readonly column: Column;
  readonly expected: ExpectedOutcome;
  readonly status: number;
  /** True if the call names only existing objects. */
  readonly isReal: boolean;
}

async function tryCell(key: OperationKey, column: Column): Promise<Outcome> {
  const operation: Operation = platformOperations[key];
  const call = callOf(key);
  const declared = expectedOutcomeOf({
    operation,
    call,
    column,
    others,
    denied: denied[column === 'parent' ? 'parent' : 'denied'],
  });
  const expected = declared === 'allowed' && ALWAYS_REJECTED.includes(key) ? 'either' : declared;
  const changes = operation.audit !== undefined && (expected === 'allowed' || expected === 'either');
  const isReal = !changes || (column === 'owner' && resourceFlags(operation.audit?.resource ?? 'NONE').hasOwner);
  // Matches the schemas.
  const sent = (isReal ? call : withUnknownObjects(call)) as unknown as Parameters<Client['call']>[1];
  const status = await clients[column].call(operation, sent).then(
    () => 200,
    (error: unknown) => (error as { status?: number }).status ?? expect.fail(`${key}: ${String(error)}`),
  );
  return { key, column, expected, status, isReal };
}

function isAsExpected({ key, expected, status, isReal }: Outcome): boolean {
  const isRefusal = REFUSALS[expected].includes(status);
  if (expected !== 'allowed' && expected !== 'either') return isRefusal;
  const isSeen = !isReal || expected === 'either' || status !== 404 || MISSING_OBJECTS.includes(key);
  return !isRefusal && status !== 500 && isSeen;
}

it('every operation accepts callers with permission, and rejects all others', { timeout: 180_000 }, async () => {
  const started = performance.now();
  // The keys of the object are its own.
  const keys = destructiveLast(Object.keys(platformOperations) as OperationKey[]);
  const outcomes: Outcome[] = [];
  for (const column of COLUMNS) {
    const waiting = keys[Symbol.iterator]();
    const work = async () => {
      for (const key of waiting) outcomes.push(await tryCell(key, column));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = Object.entries(Object.groupBy(outcomes, ({ expected }) => expected)).map(
    ([expected, cells]) => `${expected} ${cells.length}`,
  );
  console.log(`${keys.length} operations × ${COLUMNS.length} callers = ${outcomes.length} cells in ${seconds} s`);
  console.log(`expected: ${counts.join(', ')}`);
  expect(outcomes.filter((outcome) => !isAsExpected(outcome))).toEqual([]);
  expect(outcomes).toHaveLength(keys.length * COLUMNS.length);
});
