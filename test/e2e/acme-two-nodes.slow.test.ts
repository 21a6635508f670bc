// Two nodes of one platform: a replayed request, sent to both concurrently or later, counts once, and equivalent
// concurrent requests have one effect. The fault suite also kills nodes, and sends twenty thousand requests.
import { X509Certificate } from 'node:crypto';
import { makeSigningRequest, type AcmeAuthorization, type AcmeOrder } from '@signetry/testkit/acme';
import { sharedTestServer, startTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createFaultClient,
  pathOf,
  post,
  PUBLIC_URL,
  type AcmeResponse,
  type FaultClient,
} from '../faults/acme/fault-client.ts';
import { NonceLedger, record } from '../faults/acme/nonce-ledger.ts';
import { raceNonces, replayAll } from '../faults/acme/replays.ts';
import { startTargets } from '../faults/acme/targets.ts';
import { createSharedDatabase } from './testing/shared-database.ts';

const CLIENTS = 8;
const USES = 100;
const REPLAYS = 1;

const nodes = createSharedDatabase();
const targets = await startTargets();
afterAll(() => targets.close());

async function nodeArgs(): Promise<string[]> {
  return [
    ...(await nodes.nodeArgs()),
    `--public-url=${PUBLIC_URL}`,
    '--https=off',
    '--egress-allowed-hosts=127.0.0.1',
    ...targets.args,
  ];
}

const ledger = new NonceLedger();
const first = sharedTestServer({ args: nodeArgs });
const second = sharedTestServer({ args: nodeArgs });
let clients: readonly FaultClient[];
/** Twice to each node: two concurrent requests can share a statement. */
const origins = [first, second, first, second].map((server) => () => server.ready.http);

beforeAll(async () => {
  clients = Array.from({ length: CLIENTS }, (_, index) =>
    createFaultClient({ ledger, origin: origins[index % origins.length]! }),
  );
  await Promise.all(clients.map((client) => client.account()));
});

/** Number of orders in excess of those requested. */
async function surplusOrders(): Promise<number> {
  const [row] = await nodes.query<{ orders: number }>('SELECT count(*) AS orders FROM acme_order');
  const asked = ledger.all.filter(({ path }) => path.endsWith('/new-order')).length;
  expect(asked).toBeGreaterThanOrEqual(USES / 4);
  return (row?.orders ?? 0) - asked;
}

describe('a nonce', () => {
  it('is accepted once, by only one of two nodes, no matter when and where it is replayed', async () => {
    const repeated = await raceNonces({ ledger, clients, origins, uses: USES, replays: REPLAYS });
    expect(repeated).toBe(USES * (origins.length - 1 + REPLAYS));
    expect(ledger.violations()).toEqual([]);
    expect(await surplusOrders()).toBe(0);
  });

  it('is accepted or rejected in the same way by a node that starts later', async () => {
    const used = ledger.all;
    const handedOut = ledger.freshCount;
    expect(handedOut).toBeGreaterThan(USES);
    const third = await startTestServer({ args: await nodeArgs() });
    const later = [() => third.ready.http];
    expect(await replayAll(used, { ledger, origins: later, parallel: CLIENTS })).toBe(used.length);
    await raceNonces({ ledger, clients, origins: [...origins, ...later], uses: USES, replays: 0 });
    expect(ledger.violations()).toEqual([]);
    expect(await surplusOrders()).toBe(0);
    expect(ledger.all.filter(({ lost }) => lost > 0)).toEqual([]);
  });
});

/** Sends the same request to every node concurrently, each time with a different nonce. */
async function sendConcurrently(client: FaultClient, path: string, payload: unknown): Promise<AcmeResponse[]> {
  const uses = await Promise.all(origins.map(() => client.prepare(path, payload)));
  const answers = await Promise.all(
    uses.map(async (use, index) => {
      const { answer, fate } = await post(client.wire, { origin: origins[index]!(), request: use, ledger });
      record(use, fate);
      return answer;
    }),
  );
  return answers.map((answer) => answer ?? expect.unreachable('both nodes are there'));
}

const read = async <Body>(client: FaultClient, path: string): Promise<Body> =>
  JSON.parse((await client.signed(path)).text) as Body; // As the test expects.

/** An order whose challenges are reported as ready to every node concurrently. */
async function provenOrder(client: FaultClient, name: string): Promise<{ path: string; finalizePath: string }> {
  const placed = await client.signed(client.newOrderPath, { identifiers: [{ type: 'dns', value: name }] });
  const order = JSON.parse(placed.text) as AcmeOrder; // 201
  const authorizationPath = pathOf(order.authorizations[0] ?? '');
  const { challenges } = await read<AcmeAuthorization>(client, authorizationPath);
  const challenge = challenges.find(({ type }) => type === 'http-01') ?? expect.unreachable('http-01 is offered');
  targets.serve(challenge.token, { content: client.keyAuthorization(challenge.token), afterMs: 0 });
  for (const { status, text } of await sendConcurrently(client, pathOf(challenge.url), {}))
    expect(status, text).toBe(200);
  const told = await nodes.query(
    `SELECT FROM audit_record WHERE operation = 'acmeValidate' AND operation_data ->> 'authorization' = $1`,
    [authorizationPath.split('/').at(-1)],
  );
  expect(told).toHaveLength(1);
  expect((await read<AcmeAuthorization>(client, authorizationPath)).status).toBe('valid');
  return { path: pathOf(placed.location ?? ''), finalizePath: pathOf(order.finalize) };
}

const auditsOf = (operation: string, certificateUuid: string) =>
  nodes.query(
    `SELECT FROM audit_record WHERE operation = $1 AND operation_result = 'success' AND resource_objects -> 0 ->> 'uuid' = $2`,
    [operation, certificateUuid],
  );

describe('concurrent requests to two nodes', () => {
  it('create only one order if they request the same names', async () => {
    await Promise.all(
      clients.map(async (client, index) => {
        const identifiers = [{ type: 'dns', value: `same-${index}.acme.test` }];
        const answers = await sendConcurrently(client, client.newOrderPath, { identifiers });
        for (const { status, text } of answers) expect(status, text).toBe(201);
        expect(new Set(answers.map(({ location, text }) => `${location} ${text}`)).size).toBe(1);
      }),
    );
    const rows = await nodes.query(`SELECT FROM acme_order WHERE names[1] LIKE 'dns:same-%'`);
    expect(rows).toHaveLength(CLIENTS);
  });

  it('issue one certificate for an order, and revoke it once', async () => {
    await Promise.all(
      clients.map(async (client, index) => {
        const name = targets.host(index);
        const order = await provenOrder(client, name);
        const csr = Buffer.from((await makeSigningRequest({ names: [name] })).der).toString('base64url');
        const finalized = await sendConcurrently(client, order.finalizePath, { csr });
        for (const { status, text } of finalized) expect(status, text).toBe(200);
        const { status, certificate = '' } = await read<AcmeOrder>(client, order.path);
        expect(status).toBe('valid');
        for (const { text } of finalized)
          expect([certificate, undefined]).toContain((JSON.parse(text) as AcmeOrder).certificate);
        const uuid = certificate.split('/').at(-1) ?? '';
        expect(await auditsOf('issue', uuid)).toHaveLength(1);

        const { raw } = new X509Certificate((await client.signed(pathOf(certificate))).text);
        const revocation = { certificate: raw.toString('base64url') };
        const revoked = await sendConcurrently(client, client.revokePath, revocation);
        expect(revoked.map(({ status }) => status)).toContain(200);
        // A revocation that meets a concurrent one gets 503 and must be retried.
        for (const { status, problem } of revoked)
          expect([200, 503, 'alreadyRevoked']).toContain(problem === 'alreadyRevoked' ? problem : status);
        expect((await client.signed(client.revokePath, revocation)).problem).toBe('alreadyRevoked');
        expect(await auditsOf('revoke', uuid)).toHaveLength(1);
      }),
    );
    const [row] = await nodes.query<{ certificates: number; signatures: number }>(
      `SELECT (SELECT count(*) FROM certificate WHERE protocol = 'acme') AS certificates,
         (SELECT count(*) FROM connector_software_authority.issuance i JOIN certificate_operation o ON o.uuid::text = i.idempotency_key
          JOIN certificate c ON c.uuid = o.certificate_uuid WHERE c.protocol = 'acme') AS signatures`,
    );
    expect(row).toEqual({ certificates: clients.length, signatures: clients.length });
    expect(ledger.violations()).toEqual([]);
  });
});

describe('an RA profile that is disabled on one node', () => {
  it('rejects the very next request on the other node, and serves requests again after it is enabled', async () => {
    const profiles = first.client.raProfiles;
    const [profile] = await profiles.listRaProfiles();
    const params = {
      authorityUuid: profile?.authorityInstanceUuid ?? '',
      raProfileUuid: profile?.uuid ?? '',
    };
    const client = createFaultClient({ ledger, origin: () => second.ready.http });
    await client.account();
    const order = { identifiers: [{ type: 'dns', value: targets.host(0) }] };
    for (let round = 0; round < 3; round += 1) {
      expect((await client.signed(client.newOrderPath, order)).status).toBe(201);
      await profiles.disableRaProfile({ params });
      const refused = await client.signed(client.newOrderPath, order);
      expect([refused.status, refused.problem]).toEqual([400, 'malformed']);
      expect(refused.text).toContain('is disabled');
      await profiles.enableRaProfile({ params });
    }
    expect((await client.signed(client.newOrderPath, order)).status).toBe(201);
  });
});
