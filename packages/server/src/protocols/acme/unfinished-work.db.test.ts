import { createHash } from 'node:crypto';
import {
  makeSigningRequest,
  startDnsServer,
  startHttpChallengeServer,
  type DnsServer,
  type HttpChallengeServer,
} from '@signetry/testkit/acme';
import { closeAfterTest } from '@signetry/testkit/services';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import { findAuthorization } from './authorizations/store.ts';
import { ORDER_LEASE_MS } from './orders/finalize-order.ts';
import { acmeNodes, type AcmeNode, type AcmeNodes } from './testing/acme-nodes.ts';
import { accountLabel } from './validation/account-label.ts';
import { createAcmeRows, type AcmeRows, type AuthorizationFacts, type OrderFacts } from './testing/acme-rows.ts';

const SECOND_MS = 1_000;
/** At least as long as the lease of an order or a challenge. */
const LEASE_MS = 60 * SECOND_MS;
/** A lease without a holder. */
const ABANDONED = { by: null, forMs: -1 };

let nodes: AcmeNodes;
let node: AcmeNode;
let other: AcmeNode;
let rows: AcmeRows;
let http: HttpChallengeServer;
let dns: DnsServer;
let acmeProfileUuid: string;
let account: { readonly uuid: string; readonly accountId: string; readonly thumbprint: string };
let csr: Uint8Array;

beforeAll(async () => {
  http = await startHttpChallengeServer();
  dns = await startDnsServer();
  nodes = await acmeNodes({ resolver: dns, http01Port: http.port, tlsAlpn01Port: 443 });
  node = await nodes.start();
  other = await nodes.start();
  rows = createAcmeRows(nodes.database, nodes.clock);
  const [profile] = await nodes.database.query<{ uuid: string }>('SELECT uuid FROM acme_profile');
  acmeProfileUuid = profile?.uuid ?? expect.unreachable('the first start creates a profile');
  csr = (await makeSigningRequest({ names: ['a.test'] })).der;
});
beforeEach(async () => {
  const { uuid, accountId } = await rows.account({ acmeProfileUuid });
  const [row] = await nodes.database.query<{ key_thumbprint: string }>(
    'SELECT key_thumbprint FROM acme_account WHERE uuid = $1',
    [uuid],
  );
  account = { uuid, accountId, thumbprint: row?.key_thumbprint ?? '' };
});
afterAll(async () => {
  await nodes.close();
  await Promise.all([http.stop(), dns.close()]);
});

/** Creates an accepted order: it names its certificate, which has not been requested yet. */
const claimedOrder = (facts: Partial<OrderFacts> = {}): Promise<string> =>
  rows.order({
    accountUuid: account.uuid,
    status: 'processing',
    certificateUuid: newUuid(),
    csr,
    lease: ABANDONED,
    ...facts,
  });

async function orderOf(uuid: string) {
  const [order] = await nodes.database.query<{
    status: string;
    csr: Buffer | null;
    error: { type: string } | null;
    certificate_uuid: string;
    leased_by: string | null;
    leased_until: Date | null;
  }>('SELECT * FROM acme_order WHERE uuid = $1', [uuid]);
  return order ?? expect.unreachable('the order exists');
}

/** Returns the number of signatures by the authority for the certificate of an order. */
async function signaturesFor(orderUuid: string): Promise<number> {
  const signed = await nodes.database.query(
    `SELECT FROM acme_order o JOIN certificate_operation p ON p.certificate_uuid = o.certificate_uuid
     JOIN connector_software_authority.issuance i ON i.idempotency_key = p.uuid::text WHERE o.uuid = $1`,
    [orderUuid],
  );
  return signed.length;
}

const certificatesOf = (accountUuid: string) =>
  nodes.database.query<{ uuid: string; state: string }>(
    'SELECT uuid, state FROM certificate WHERE protocol_account_uuid = $1',
    [accountUuid],
  );

describe('an order whose certificate was not requested', () => {
  it('gets a certificate, exactly once', async () => {
    const uuid = await claimedOrder();
    const work = node.unfinishedWork();
    expect(await work.runOnce()).toBe(1);
    const order = await orderOf(uuid);
    expect(order).toMatchObject({ status: 'valid', csr: null, leased_until: null, error: null });
    expect(await certificatesOf(account.uuid)).toEqual([{ uuid: order.certificate_uuid, state: 'issued' }]);
    expect(await signaturesFor(uuid)).toBe(1);
    nodes.clock.advance(2 * LEASE_MS);
    expect(await work.runOnce()).toBe(0);
    expect(await signaturesFor(uuid)).toBe(1);
  });

  it('gets its certificate from only one of two nodes', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => claimedOrder()));
    const taken = await Promise.all([node, other].map((each) => each.unfinishedWork().runOnce()));
    expect(taken[0]! + taken[1]!).toBe(orders.length);
    for (const uuid of orders) {
      expect(await orderOf(uuid)).toMatchObject({ status: 'valid' });
      expect(await signaturesFor(uuid)).toBe(1);
    }
    expect(await certificatesOf(account.uuid)).toHaveLength(orders.length);
  });

  it('gets only one certificate from two nodes that both believe that they hold its lease', async () => {
    const uuid = await claimedOrder();
    const gate = Promise.withResolvers<void>();
    const waiting = vi.fn<() => void>();
    const delayIssuance = ({ areas }: AcmeNode) => {
      const { protocols } = areas.issuing;
      const issue: typeof protocols.issue = async (...input) => {
        waiting();
        await gate.promise;
        return protocols.issue(...input);
      };
      return { ...protocols, issue };
    };
    const first = node.unfinishedWork({ certificates: delayIssuance(node) }).runOnce();
    await vi.waitFor(() => expect(waiting).toHaveBeenCalledTimes(1));
    nodes.clock.advance(LEASE_MS + SECOND_MS);
    const second = other.unfinishedWork({ certificates: delayIssuance(other) }).runOnce();
    await vi.waitFor(() => expect(waiting).toHaveBeenCalledTimes(2));
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    expect(await orderOf(uuid)).toMatchObject({ status: 'valid' });
    expect(await signaturesFor(uuid)).toBe(1);
    expect(await certificatesOf(account.uuid)).toHaveLength(1);
  });

  it('gets the certificate that was already signed before a crash', async () => {
    const uuid = await claimedOrder();
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    const { certificate_uuid: certificateUuid } = await orderOf(uuid);
    const serialNumber = async () => {
      const [row] = await nodes.database.query<{ serial_number: string }>(
        `SELECT serial_number FROM certificate WHERE uuid = $1 AND state = 'issued'`,
        [certificateUuid],
      );
      return row?.serial_number;
    };
    const signed = await serialNumber();
    // The authority's journal remains; everything after its response is lost.
    for (const table of ['certificate_operation', 'certificate_history'])
      await nodes.database.query(`DELETE FROM ${table} WHERE certificate_uuid = $1`, [certificateUuid]);
    await nodes.database.query('DELETE FROM certificate WHERE uuid = $1', [certificateUuid]);
    await nodes.database.query(
      `UPDATE acme_order SET status = 'processing', csr = $2, leased_by = NULL, leased_until = $3 WHERE uuid = $1`,
      [uuid, Buffer.from(csr), new Date(nodes.clock.now().getTime() - 1)],
    );
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    expect(signed).toBeDefined();
    expect(await serialNumber()).toBe(signed);
    expect(await signaturesFor(uuid)).toBe(1);
  });

  it('shows the certificate and the reason if the authority rejects it', async () => {
    const names = Array.from({ length: 300 }, (_, number) => `n${number}.test`);
    const uuid = await claimedOrder({ csr: (await makeSigningRequest({ names })).der });
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    const order = await orderOf(uuid);
    expect(order).toMatchObject({
      status: 'invalid',
      error: { type: 'malformed', detail: expect.stringContaining('at most 100 subject alternative names') as string },
    });
    expect(await certificatesOf(account.uuid)).toEqual([{ uuid: order.certificate_uuid, state: 'failed' }]);
    const history = await nodes.database.query(
      'SELECT event, status FROM certificate_history WHERE certificate_uuid = $1 ORDER BY uuid',
      [order.certificate_uuid],
    );
    expect(history).toEqual([
      { event: 'Request Certificate', status: 'SUCCESS' },
      { event: 'Issue Certificate', status: 'FAILED' },
    ]);
  });

  it('fails if it selected a profile that is not offered', async () => {
    const uuid = await claimedOrder({ profile: 'withdrawn' });
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    expect(await orderOf(uuid)).toMatchObject({ status: 'invalid', error: { type: 'invalidProfile' } });
    expect(await certificatesOf(account.uuid)).toEqual([]);
    nodes.clock.advance(LEASE_MS); // Expires the cached profile for the next test.
  });

  it('fails if its certificate can no longer be requested', async () => {
    const uuid = await claimedOrder();
    const setEnabled = (enabled: boolean) => nodes.database.query('UPDATE ra_profile SET enabled = $1', [enabled]);
    closeAfterTest(async () => void (await setEnabled(true)));
    await setEnabled(false);
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    expect(await orderOf(uuid)).toMatchObject({ status: 'invalid', csr: null, error: { type: 'malformed' } });
    expect(await certificatesOf(account.uuid)).toEqual([]);
  });
});

describe('an order whose certificate was requested', () => {
  it.each([
    ['issued', 'valid', null],
    ['revoked', 'valid', null],
    ['failed', 'invalid', { type: 'serverInternal' }],
    [
      'rejected',
      'invalid',
      {
        type: 'unauthorized',
        detail: expect.stringContaining('The certificate required an approval, which was rejected or timed out.'),
      },
    ],
    ['requested', 'processing', null],
    ['pending_approval', 'processing', null],
    ['pending_issue', 'processing', null],
  ])('gets its status from the certificate: %s makes it %s', async (state, status, error) => {
    const uuid = await claimedOrder({ certificateUuid: await rows.certificate(state) });
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    expect(await orderOf(uuid)).toMatchObject({ status, error });
    expect(await signaturesFor(uuid)).toBe(0);
    await nodes.database.query('DELETE FROM acme_order WHERE uuid = $1', [uuid]);
  });
});

describe('a lease', () => {
  it('excludes other nodes until it expires', async () => {
    const uuid = await claimedOrder({ lease: { by: node.nodeId, forMs: LEASE_MS } });
    expect(await other.unfinishedWork().runOnce()).toBe(0);
    nodes.clock.advance(LEASE_MS + SECOND_MS);
    expect(await other.unfinishedWork().runOnce()).toBe(1);
    expect(await orderOf(uuid)).toMatchObject({ status: 'valid', leased_by: other.nodeId });
  });

  it('from a previous run of the node ends with that run', async () => {
    const order = await claimedOrder({ lease: { by: node.nodeId, forMs: ORDER_LEASE_MS } });
    const challenge = await abandonedChallenge({ lease: { by: node.nodeId, forMs: LEASE_MS } });
    nodes.clock.advance(2 * SECOND_MS);
    expect(await node.unfinishedWork().runOnce()).toBe(2);
    expect(await orderOf(order)).toMatchObject({ status: 'valid' });
    expect(await authorizationOf(challenge.uuid)).toMatchObject({ status: 'valid' });
  });

  it('from the current run remains valid', async () => {
    const work = node.unfinishedWork();
    nodes.clock.advance(2 * SECOND_MS);
    const uuid = await claimedOrder({ lease: { by: node.nodeId, forMs: ORDER_LEASE_MS } });
    expect(await work.runOnce()).toBe(0);
    expect(await work.runOnce()).toBe(0);
    expect(await orderOf(uuid)).toMatchObject({ status: 'processing' });
    nodes.clock.advance(ORDER_LEASE_MS);
    expect(await work.runOnce()).toBe(1);
  });
});

/** Creates a challenge whose validation was interrupted, with a correct response at its target. */
async function abandonedChallenge(
  facts: Partial<AuthorizationFacts> = {},
  content?: string,
): Promise<{ uuid: string; orderUuid: string; host: string; path: string }> {
  const host = `${newUuid()}.test`;
  dns.zone[host] = [{ type: 'A', address: '127.0.0.1' }];
  const orderUuid = await rows.order({ accountUuid: account.uuid });
  const uuid = await rows.authorization({
    accountUuid: account.uuid,
    challengeStatus: 'processing',
    host,
    orderUuid,
    lease: ABANDONED,
    ...facts,
  });
  const { token } = await authorizationOf(uuid);
  http.serve(token, content ?? `${token}.${account.thumbprint}`);
  return { uuid, orderUuid, host, path: `/.well-known/acme-challenge/${token}` };
}

async function authorizationOf(uuid: string) {
  const [authorization] = await nodes.database.query<{
    status: string;
    challenge_status: string;
    token: string;
    error: { type: string } | null;
  }>('SELECT * FROM acme_authorization WHERE uuid = $1', [uuid]);
  return authorization ?? expect.unreachable('the authorization exists');
}

const fetchesOf = (path: string): number => http.requests.filter((request) => request.path === path).length;

const auditsOf = async (authorizationUuid: string): Promise<string[]> =>
  (
    await nodes.database.query<{ operation_result: string }>(
      `SELECT operation_result FROM audit_record WHERE operation = 'acmeValidate' AND operation_data ->> 'authorization' = $1`,
      [authorizationUuid],
    )
  ).map(({ operation_result }) => operation_result);

describe('a challenge whose validation was abandoned', () => {
  it('is validated by a different process', async () => {
    const { uuid, orderUuid, path } = await abandonedChallenge();
    expect(await other.unfinishedWork().runOnce()).toBe(1);
    expect(await authorizationOf(uuid)).toMatchObject({ status: 'valid', challenge_status: 'valid', error: null });
    expect(await orderOf(orderUuid)).toMatchObject({ status: 'pending' });
    expect(fetchesOf(path)).toBe(1);
    expect(await auditsOf(uuid)).toEqual(['success']);
  });

  it.each([
    ['used by the client', 'https://as-the-client-says.test', 'https://as-the-client-says.test'],
    ['of the platform', 'https://as-the-client-says.test', 'https://acme.test'],
    ['of the platform, if no other origin is stored', null, 'https://acme.test'],
  ])('is validated for the account URL with the origin %s', async (_what, origin, published) => {
    const { uuid, host } = await abandonedChallenge();
    await nodes.database.query(
      `UPDATE acme_authorization SET challenge_type = 'dns-account-01', origin = $2 WHERE uuid = $1`,
      [uuid, origin],
    );
    const { token } = await authorizationOf(uuid);
    const digest = createHash('sha256').update(`${token}.${account.thumbprint}`).digest('base64url');
    const label = accountLabel(`${published}/api/v1/protocols/acme/default/acct/${account.accountId}`);
    dns.zone[`_${label}._acme-challenge.${host}`] = [{ type: 'TXT', strings: [digest] }];
    expect(await other.unfinishedWork().runOnce()).toBe(1);
    expect(await authorizationOf(uuid)).toMatchObject({ status: 'valid', error: null });
  });

  it('causes its authorization and order to fail if the proof is missing', async () => {
    const { uuid, orderUuid } = await abandonedChallenge({}, 'something else');
    expect(await node.unfinishedWork().runOnce()).toBe(1);
    expect(await authorizationOf(uuid)).toMatchObject({ status: 'invalid', error: { type: 'incorrectResponse' } });
    expect(await orderOf(orderUuid)).toMatchObject({ status: 'invalid', error: { type: 'incorrectResponse' } });
    expect(await auditsOf(uuid)).toEqual(['failure']);
  });

  it('is validated by only one of two nodes', async () => {
    const challenges = await Promise.all(Array.from({ length: 10 }, () => abandonedChallenge()));
    const taken = await Promise.all([node, other].map((each) => each.unfinishedWork().runOnce()));
    expect(taken[0]! + taken[1]!).toBe(challenges.length);
    for (const { uuid, path } of challenges) {
      expect(await authorizationOf(uuid)).toMatchObject({ status: 'valid' });
      expect(fetchesOf(path)).toBe(1);
      expect(await auditsOf(uuid)).toEqual(['success']);
    }
  });

  it('is validated only once, even for a request that read it before the result was stored (RFC 8555 §7.5.1)', async () => {
    const { uuid, path } = await abandonedChallenge();
    const authorization = await findAuthorization(nodes.database.hot, uuid);
    const profile = await node.areas.acmeProfiles.served.find('profile', 'default');
    if (!authorization || !profile) expect.unreachable('both were just created');
    const work = {
      authorization,
      type: 'http-01' as const,
      account,
      thumbprint: account.thumbprint,
      addresses: { accountUrls: [], accountHashPrefixes: [] },
      profile,
      context: coreContext(newUuid()),
    };
    const validation = node.validationWork();
    const first = await validation.run(work);
    expect(first).toMatchObject({ uuid, status: 'valid' });
    expect(await validation.run(work)).toEqual(first);
    expect(fetchesOf(path)).toBe(1);
    expect(await auditsOf(uuid)).toEqual(['success']);
  });

  it.each([
    ['deactivated', { status: 'deactivated' }],
    ['revoked', { status: 'revoked' }],
    ['expired', { expiresInMs: -1 }],
  ] as const)('is ignored if its authorization is %s', async (_what, facts) => {
    const { uuid, path } = await abandonedChallenge(facts);
    const before = await authorizationOf(uuid);
    expect(await node.unfinishedWork().runOnce()).toBe(0);
    expect(await authorizationOf(uuid)).toEqual(before);
    expect(fetchesOf(path)).toBe(0);
  });
});

describe('an unresponsive target', () => {
  it("delays neither orders nor the platform's shutdown", async () => {
    http.misbehave(() => undefined);
    closeAfterTest(() => http.misbehave());
    const { uuid, path } = await abandonedChallenge();
    const { areas } = await nodes.start();
    await areas.acme.start?.();
    await vi.waitFor(() => expect(fetchesOf(path)).toBe(1), 5_000);
    const order = await claimedOrder();
    await vi.waitFor(async () => expect(await orderOf(order)).toMatchObject({ status: 'valid' }), 5_000);
    const stopping = performance.now();
    await areas.acme.stop?.();
    expect(performance.now() - stopping).toBeLessThan(2 * SECOND_MS);
    // Nothing was decided: the lease allows a different process to continue.
    expect(await authorizationOf(uuid)).toMatchObject({ status: 'pending', challenge_status: 'processing' });
    expect(await auditsOf(uuid)).toEqual([]);
  });
});
