// Publishing and serving of CRL partitions by a node. The authority's connector behaves as each test specifies.
import { CRL_SHARDS_FEATURE } from '@signetry/contract';
import { crlDistributionPointsExtension, findRevoked, parseCrl } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, createFakeClock, testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { createTestAuthority, shardUrl } from '../testing/authority.ts';
import { startTestNode } from '../testing/node.ts';

const HOUR_MS = 3_600_000;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

async function setUp() {
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const authority = await createTestAuthority(platform);
  authority.behaviour.features.push(CRL_SHARDS_FEATURE);
  const startNode = async () => {
    const node = await startTestNode(testPlatform(database, { clock }), authority.ports);
    closeAfterTest(node.close);
    return node;
  };
  const node = await startNode();
  const download = (ending: string, at = node) => fetch(`${at.url}/crl/${authority.uuid}${ending}.crl`);
  const list = async (ending: string, at = node) =>
    parseCrl(new Uint8Array(await (await download(ending, at)).arrayBuffer()));
  const issueIn = (shard: number) =>
    authority.issue({ extensions: [crlDistributionPointsExtension([shardUrl(shard)])] });
  const announce = async (uuid: string, at = node) => {
    await at.parts.issuers.of(authority.uuid);
    const event = { certificateUuid: uuid, raProfileUuid: null, issuerCertificateUuid: authority.ca().uuid };
    await at.parts.jobs.afterRevocation(event);
    await at.parts.jobs.idle();
  };
  const schedule = async () => {
    await node.parts.jobs.onSchedule();
    await node.parts.jobs.idle();
  };
  /** Simulates the end of the pause before the next attempt for a revocation. */
  const tryAgain = async () => {
    await database.query('UPDATE awaited_revocation SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
    await node.parts.awaited.fill();
    await node.parts.awaited.idle();
  };
  const countAwaited = async () =>
    (await database.query('SELECT 1 FROM awaited_revocation WHERE authority_uuid = $1', [authority.uuid])).length;
  /** Simulates the end of the pauses. */
  const endPauses = () =>
    database.query('UPDATE revocation_duty SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
  return {
    clock,
    authority,
    node,
    startNode,
    download,
    list,
    issueIn,
    announce,
    schedule,
    tryAgain,
    countAwaited,
    endPauses,
  };
}

describe('downloading a CRL partition', () => {
  it('fetches the partition once for concurrent requests and serves it with the same cache headers as the complete CRL', async () => {
    const { authority, download, list } = await setUp();
    const answers = await Promise.all([download('-shard-2'), download('-shard-2'), download('-shard-2')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(authority.crlRequests).toMatchObject([{ delta: false, shard: 2 }]);
    expect(answers[0]?.headers.get('cache-control')).toBe('max-age=300, public, no-transform, must-revalidate');
    expect((await list('-shard-2')).issuingDistributionPoint?.fullName).toMatchObject([{ value: shardUrl(2) }]);
    expect((await list('')).issuingDistributionPoint).toBeUndefined();
    expect(authority.crlRequests.map(({ shard }) => shard)).toEqual([2, undefined]);
  });

  it('sends no request for a partition to a connector that does not declare partition support', async () => {
    const { authority, download } = await setUp();
    authority.behaviour.features = ['ocspDelegation'];
    expect((await download('-shard-1')).status).toBe(404);
    expect(authority.calls.crl).toBe(0);
    const rows = await database.query('SELECT FROM revocation_duty WHERE authority_uuid = $1', [authority.uuid]);
    expect(rows).toEqual([]);
    expect((await download('')).status).toBe(200);
    expect(authority.crlRequests.map((request) => 'shard' in request)).toEqual([false]);
  });

  it.each(['-shard-0', '-shard-01', '-shard-257', '-shard-1000', '-shard-', '-shard--1', '-shard-1-delta'])(
    'returns 404 for %s, without calling the connector',
    async (ending) => {
      const { authority, download } = await setUp();
      expect((await download(ending)).status).toBe(404);
      expect(authority.calls.crl).toBe(0);
    },
  );

  it.each([
    ['another shard', (asked: number | undefined) => (asked ?? 0) + 1],
    ['the complete list', () => undefined],
  ])('serves nothing if the connector returns %s', async (_what, answeredShard) => {
    const { authority, download, endPauses } = await setUp();
    authority.behaviour.answeredShard = answeredShard;
    expect((await download('-shard-1')).status).toBe(503);
    authority.behaviour.answeredShard = (asked) => asked;
    await endPauses();
    expect((await download('-shard-1')).status).toBe(200);
  });

  it('keeps serving the existing CRL if the connector returns a partition instead of the complete CRL', async () => {
    const { authority, clock, list, download } = await setUp();
    const before = await list('');
    clock.advance(25 * HOUR_MS);
    authority.behaviour.answeredShard = () => 1;
    const answer = await download('');
    expect(parseCrl(new Uint8Array(await answer.arrayBuffer())).der).toEqual(before.der);
  });

  it('cannot be published by a version without partition support', async () => {
    const { authority, download } = await setUp();
    await download('-shard-1');
    await expect(
      database.query(
        `INSERT INTO published_crl (authority_uuid, kind, issuer_key, number, this_update, next_update, sha256, der, published_at)
         SELECT authority_uuid, kind, issuer_key, number + 1, this_update, next_update, 'x', der, published_at
         FROM published_crl WHERE authority_uuid = $1
         ON CONFLICT (authority_uuid, kind) DO UPDATE SET der = excluded.der`,
        [authority.uuid],
      ),
    ).rejects.toThrow('published_crl_kind_check');
  });
});

describe('after a revocation', () => {
  it("the certificate's partition and the complete CRL are regenerated, and other partitions are not", async () => {
    const { authority, list, issueIn, announce } = await setUp();
    const leaf = await issueIn(1);
    const others = await list('-shard-2');
    await list('-shard-1');
    const asked = authority.crlRequests.length;
    authority.revoke(leaf);
    await announce(leaf.uuid);
    const since = authority.crlRequests.slice(asked).map(({ shard }) => shard ?? 'complete');
    expect(since.toSorted()).toEqual([1, 'complete']);
    for (const ending of ['', '-shard-1'])
      expect(findRevoked(await list(ending), leaf.certificate.serialBytes)).toBeDefined();
    expect((await list('-shard-2')).der).toEqual(others.der);
  });

  it('the revocation stays pending until the partition lists the certificate', async () => {
    const { authority, list, issueIn, announce, tryAgain, countAwaited } = await setUp();
    const leaf = await issueIn(1);
    await list('-shard-1');
    authority.revoke(leaf);
    authority.behaviour.hidden.add(leaf.uuid);
    await announce(leaf.uuid);
    expect(await countAwaited()).toBe(1);
    authority.behaviour.hidden.delete(leaf.uuid);
    await tryAgain();
    expect(findRevoked(await list('-shard-1'), leaf.certificate.serialBytes)).toBeDefined();
    expect(await countAwaited()).toBe(0);
  });

  it('an unavailable partition does not prevent the certificate from being added to the complete CRL', async () => {
    const { authority, list, issueIn, announce, tryAgain, countAwaited } = await setUp();
    const leaf = await issueIn(1);
    await list('-shard-1');
    authority.revoke(leaf);
    authority.behaviour.answeredShard = (asked) => asked && asked + 1;
    await announce(leaf.uuid);
    expect(findRevoked(await list(''), leaf.certificate.serialBytes)).toBeDefined();
    expect(findRevoked(await list('-shard-1'), leaf.certificate.serialBytes)).toBeUndefined();
    expect(await countAwaited()).toBe(1);
    authority.behaviour.answeredShard = (asked) => asked;
    await tryAgain();
    expect(findRevoked(await list('-shard-1'), leaf.certificate.serialBytes)).toBeDefined();
    expect(await countAwaited()).toBe(0);
  });

  it('two nodes together fetch the partition only once, and both serve the one that lists the certificate', async () => {
    const { authority, clock, node, startNode, list, issueIn, announce } = await setUp();
    const other = await startNode();
    const leaf = await issueIn(1);
    for (const at of [node, other]) await list('-shard-1', at);
    const asked = authority.crlRequests.length;
    authority.revoke(leaf);
    await Promise.all([announce(leaf.uuid), announce(leaf.uuid, other)]);
    expect(authority.crlRequests.slice(asked).filter(({ shard }) => shard === 1)).toHaveLength(1);
    clock.advance(10_000); // CRLs published by other nodes are picked up after a few seconds.
    for (const at of [node, other])
      expect(findRevoked(await list('-shard-1', at), leaf.certificate.serialBytes)).toBeDefined();
  });

  it('the platform does not wait for a URL that only looks like a partition URL', async () => {
    const { authority, announce, countAwaited } = await setUp();
    const leaf = await authority.issue({
      extensions: [crlDistributionPointsExtension(['http://elsewhere.example/their-shard-9.crl'])],
    });
    authority.revoke(leaf);
    await announce(leaf.uuid);
    expect(await countAwaited()).toBe(0);
  });
});

describe('the schedule', () => {
  it('refetches published partitions after a pause, so that they include URLs added in the meantime', async () => {
    const { authority, list, schedule, endPauses } = await setUp();
    await list('-shard-1');
    const asked = authority.crlRequests.length;
    await schedule();
    expect(authority.crlRequests.length).toBe(asked);
    await endPauses();
    await schedule();
    expect(authority.crlRequests.slice(asked)).toMatchObject([{ shard: 1 }]);
  });

  it('fetches the next CRL of a partition before the current one expires', async () => {
    const { authority, clock, list, schedule, endPauses } = await setUp();
    const before = await list('-shard-1');
    clock.advance(20 * HOUR_MS);
    await endPauses();
    await schedule();
    authority.behaviour.crlError = new Error('down');
    expect((await list('-shard-1')).crlNumber).toBeGreaterThan(before.crlNumber ?? 0n);
  });
});
