// Goal: bodies as written by third-party forms and programs have the same outcome as conforming bodies. Method: each
// operation with a body is called on identical platforms, with the original body and with rewritten ones, and the
// responses and the resulting objects are compared.
import { platformOperations, withoutEmptyOwnValues, type Operation } from '@signetry/contract';
import { sharedTestServer, type TestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCallMaker, destructiveLast, type CallMaker, type OperationKey } from './testing/declared-calls.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { restrictingMembers, rewrite, type Style } from './testing/rewrite-body.ts';

const VARIANTS = ['original', 'rewritten'] as const;

type Variant = (typeof VARIANTS)[number];

const servers = Object.fromEntries(
  VARIANTS.map((variant) => [variant, sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS })]),
) as Readonly<Record<Variant, TestServer>>;

let callMakers: Readonly<Record<Variant, CallMaker>>;

beforeAll(async () => {
  const made = await Promise.all(VARIANTS.map(async (variant) => [variant, await createCallMaker(servers[variant])]));
  callMakers = Object.fromEntries(made) as typeof callMakers;
}, 120_000);

// The object has only these keys.
const withBody = (Object.keys(platformOperations) as OperationKey[]).filter(
  (key) => (platformOperations[key] as Operation).body !== undefined,
);
const isExtension = (key: OperationKey): boolean => platformOperations[key].path.startsWith('/x/');
const published = destructiveLast(withBody.filter((key) => !isExtension(key)));

/** Operations whose bodies cannot be rewritten, by reason. Lists of identifiers need not be mentioned. */
const NOTHING_TO_REWRITE: Readonly<Record<string, readonly OperationKey[]>> = {
  'all members are required, and are texts or lists of texts': [
    'activateAcmeForRaProfile',
    'activateCmpForRaProfile',
    'activateScepForRaProfile',
    'addGroup',
    'associateEventTriggers',
    'associateProfiles',
    'bulkUpdateTokenProfileUsages',
    'checkCertificatesCompliance',
    'compromiseKeyItems',
    'compromiseKeys',
    'disassociateProfiles',
    'editKeyItem',
    'issueLegacyCertificate',
    'promoteConnectorMetadata',
    'removeGroup',
    'removeRule',
    'revokeLegacyCertificate',
    'updateEventSettings',
    'updateEventsSettings',
    'updateKeyItemUsages',
    'updateKeyUsages',
    'updateKeyUsagesWithToken',
    'updateKeysUsages',
    'updateScheduledJob',
    'updateTokenProfileUsages',
    'validateLocationAttributes',
  ],
  'the body is an empty list': [
    'addResourcePermissionObjects',
    'exportAuditLogs',
    'purgeAuditLogs',
    'validateApiKeyAuthAttributes',
    'validateBasicAuthAttributes',
    'validateCertificateAuthAttributes',
    'validateConnectorAttributes',
    'validateIssueCertificateAttributes',
    'validateJWTAuthAttributes',
    'validateRAProfileAttributes',
    'validateRevokeCertificateAttributes',
  ],
};

interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

async function send(server: TestServer, { method, path, params = {}, query = {}, body }: Request): Promise<Outcome> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${server.ready.http}/api${filled}?${search}`, {
    method,
    headers: { authorization: `Bearer ${server.ready.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text.length > 0 };
}

/** Replaces values that differ between platforms: identifiers, times, key material, addresses. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, member]) => [name, comparable(member)]),
    );
  if (typeof value === 'number') return value > 1_000_000 ? 'large' : value;
  if (typeof value !== 'string') return value;
  const masked = value
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, 'UUID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS');
  return /[A-Za-z0-9+/=:]{16,}|^[A-Za-z0-9+/]{11}=$/.test(masked) ? 'DATA' : masked;
}

/** The operation that returns the object that the call created or changed. */
function detailOf({ method, path }: Operation): Operation | undefined {
  const all = Object.values(platformOperations) as Operation[];
  const get = all.filter((each) => each.method === 'GET' && !each.success.media);
  if (method === 'POST')
    return get.find((each) => /^\/\{\w+\}$/.test(each.path.slice(path.length)) && each.path.startsWith(path));
  return get.find((each) => each.path === path);
}

/** Operations whose declared bodies contain no typed attribute. */
const WITH_ATTRIBUTES: readonly OperationKey[] = ['createRaProfile', 'editRaProfile'];

const VALIDITY = {
  uuid: '5e0f7a3c-9d41-4b20-8c52-000000000002',
  name: 'data_validityDays',
  contentType: 'integer',
  content: [{ data: 30 }],
};

/** Calls the operation and reads the object that it concerns. */
async function outcomeOf(key: OperationKey, variant: Variant): Promise<unknown> {
  const operation = platformOperations[key] as Operation;
  const [server, callOf] = [servers[variant], callMakers[variant]];
  const { access, method, path } = operation;
  if (typeof access === 'object' && access.resource === 'keys') await callOf.useFreshKey(!key.startsWith('enable'));
  const { params, query, body: declared } = callOf(key);
  const body = WITH_ATTRIBUTES.includes(key) ? { ...(declared as object), attributes: [VALIDITY] } : declared;
  const sent = variant === 'original' ? body : rewrite(operation.body as Schema, body, 'formWithNulls');
  const outcome = await send(server, { method, path, params, query, body: sent });
  // The scan is still running.
  const isFinished = key !== 'createDiscovery';
  const detail = isFinished && outcome.status < 300 ? detailOf(operation) : undefined;
  if (!detail) return comparable(outcome);
  const last = /\{(\w+)\}$/.exec(detail.path)?.[1];
  const uuid = (outcome.body as { readonly uuid?: string } | null)?.uuid;
  const named = method === 'POST' && last ? (uuid === undefined ? undefined : { ...params, [last]: uuid }) : params;
  if (!named) return comparable(outcome);
  return comparable({ ...outcome, detail: await send(server, { method: 'GET', path: detail.path, params: named }) });
}

type Schema = NonNullable<Operation['body']>;

const isRewritten = (key: OperationKey, style: Style): boolean => {
  const { body } = callMakers.original(key);
  return (
    JSON.stringify(rewrite((platformOperations[key] as Operation).body as Schema, body, style)) !== JSON.stringify(body)
  );
};

/** Updates that require the object's own values. The name of a role is optional. */
const OWN_VALUES: readonly (readonly [OperationKey, readonly string[]])[] = [
  ['editGroup', ['name']],
  ['editCmpProfile', ['name']],
  ['updateTokenInstance', ['name', 'kind', 'connectorUuid']],
  ['editKey', ['name']],
  ['editKeyItem', ['name']],
  ['updateRole', ['name']],
  ['updateResourcePermissionObject', ['name']],
  ['updateComplianceInternalRuleV2', ['name']],
];

/** A list of identifiers or words, which has no other form. */
const isListOfTexts = (body: unknown): boolean =>
  Array.isArray(body) && body.length > 0 && body.every((item) => typeof item === 'string');

describe('bodies of published operations', () => {
  it('are rewritten, except for the listed operations', () => {
    const unchanged = published.filter(
      (key) => !isListOfTexts(callMakers.original(key).body) && !isRewritten(key, 'formWithNulls'),
    );
    expect(unchanged.toSorted()).toEqual(Object.values(NOTHING_TO_REWRITE).flat().toSorted());
  });

  it("are listed if they require the object's own values", () => {
    const requiring = published.filter((key) => {
      const empty = { name: '', kind: '', connectorUuid: '' };
      return withoutEmptyOwnValues(platformOperations[key] as Operation, empty).required.length > 0;
    });
    // Specifies the connector of a rule group, not of the profile.
    const others: readonly OperationKey[] = ['patchComplianceProfileGroupsV2'];
    const listed = OWN_VALUES.map(([key]) => key).filter((key) => key !== 'updateRole');
    expect(requiring.toSorted()).toEqual([...listed, ...others].toSorted());
  });

  it.each(VARIANTS)("keep the object's own values that an update sends empty (%s)", async (variant) => {
    for (const [key, members] of OWN_VALUES) {
      const { method, path } = platformOperations[key] as Operation;
      const { body, ...named } = callMakers[variant](key);
      const request = { method, path, ...named };
      const before = await send(servers[variant], { ...request, body });
      const empty = Object.fromEntries(members.map((member) => [member, '']));
      const after = await send(servers[variant], { ...request, body: { ...(body as object), ...empty } });
      expect.soft(before.status, key).toBeLessThan(300);
      expect.soft(comparable(after), key).toEqual(comparable(before));
    }
  });

  it(
    'have the same outcome if they are written as third-party forms and programs write them',
    { timeout: 120_000 },
    async () => {
      const statuses = { accepted: 0, rejected: 0 };
      for (const key of published) {
        const [original, rewritten] = await Promise.all(VARIANTS.map((variant) => outcomeOf(key, variant)));
        statuses[(original as Outcome).status < 300 ? 'accepted' : 'rejected'] += 1;
        expect.soft(rewritten, key).toEqual(original);
      }
      // Otherwise the test would have little value.
      expect(statuses.accepted).toBeGreaterThan(statuses.rejected * 3);
    },
  );

  // Last, because the attempts are recorded.
  it('are rejected if a member that restricts the request is an empty string', async () => {
    const restricted = published.flatMap((key) => {
      const { body } = platformOperations[key] as Operation;
      // Accepted only on a platform without administrators.
      if (key === 'addAdmin') return [];
      return restrictingMembers(body as Schema).map((member) => [key, member] as const);
    });
    expect(restricted.length).toBeGreaterThan(30);
    for (const [key, member] of restricted) {
      const { method, path } = platformOperations[key] as Operation;
      const { body, ...named } = callMakers.original(key);
      const sent = { ...(body as object), [member]: '' };
      const { status } = await send(servers.original, { method, path, ...named, body: sent });
      expect.soft([400, 422], `${key} with an empty ${member}: ${status}`).toContain(status);
    }
  });
});

describe('bodies of extensions', () => {
  it('are rejected if their numbers and booleans are strings, or if absent values are empty strings', async () => {
    const rewritten = withBody.filter((key) => isExtension(key) && isRewritten(key, 'form'));
    expect(rewritten.length).toBeGreaterThan(15);
    for (const key of rewritten) {
      const operation = platformOperations[key] as Operation;
      const { body, ...named } = callMakers.original(key);
      const sent = rewrite(operation.body as Schema, body, 'form');
      const { status } = await send(servers.original, { ...operation, ...named, body: sent });
      expect.soft([400, 422], `${key}: ${status}`).toContain(status);
    }
  });
});
