// A connector that hangs must not delay work for other connectors or block shutdown. The connector is a real server.
import { findRevoked, parseCrl } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, testPlatform } from '@signetry/testkit/services';
import { expect, it, vi } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { createConnectorsArea } from '../connectors/index.ts';
import { infoOf, startFakeConnector } from '../connectors/testing/fake-connector.ts';
import type { RevocationPorts } from './ports.ts';
import { createTestAuthority, type TestAuthority } from './testing/authority.ts';
import { startTestNode } from './testing/node.ts';

/** More than the total number of slots. */
const HANGING = 12;
const GET_CRL = 'POST /v1/authorityProvider/authorities/*/crl';
/** Far less than the 30 s timeout of a CRL call, but generous for a busy machine. */
const SOON = { timeout: 12_000, interval: 50 };

async function addConnector(platform: Platform) {
  const fake = await startFakeConnector();
  fake.on(GET_CRL, 'hang');
  closeAfterTest(fake.close);
  const uuid = newUuid();
  await platform.database.query(
    `INSERT INTO connector (uuid, name, url, auth_type, status, created_at, updated_at)
     VALUES ($1, 'hanging', $2, 'none', 'connected', now(), now())`,
    [uuid, fake.url],
  );
  const { endPoints } = infoOf('authorityProvider', []);
  await platform.database.query(
    `INSERT INTO connector_function_group (connector_uuid, code, kinds, end_points, features) VALUES ($1, 'authorityProvider', '{Fake}', $2, '{}')`,
    [uuid, JSON.stringify(endPoints)],
  );
  const { trail: audit } = createAuditArea(platform);
  const connectors = createConnectorsArea(platform, { audit, attributes: createAttributeEngine(platform) });
  closeAfterTest(() => connectors.stop?.());
  return { uuid, fake, connectors };
}

async function setUp() {
  const giveUp = new AbortController();
  const platform = testPlatform(await testDatabase(), { giveUp: giveUp.signal });
  const connector = await addConnector(platform);
  const good = await createTestAuthority(platform);
  const hanging = await Promise.all(Array.from({ length: HANGING }, () => createTestAuthority(platform)));
  const all = new Map([good, ...hanging].map((authority) => [authority.uuid, authority]));
  const of = (uuid: string): TestAuthority => all.get(uuid) ?? good;
  const holding = (certificateUuid: string): TestAuthority =>
    [...all.values()].find(({ inventory }) => inventory.some(({ uuid }) => uuid === certificateUuid)) ?? good;
  const ports: RevocationPorts = {
    connectors: {
      client: (uuid) =>
        uuid === connector.uuid ? connector.connectors.client(uuid) : good.ports.connectors.client(uuid),
    },
    authorities: {
      ...good.ports.authorities,
      find: async (uuid) => {
        const found = await of(uuid).ports.authorities.find(uuid);
        return uuid === good.uuid ? found : { ...found, connectorUuid: connector.uuid };
      },
    },
    raProfiles: { ...good.ports.raProfiles, authorityOf: async (uuid) => uuid },
    certificates: {
      ...good.ports.certificates,
      caCertificatesOf: (uuid) => of(uuid).ports.certificates.caCertificatesOf(uuid),
      find: (uuid) => holding(uuid).ports.certificates.find(uuid),
    },
  };
  const node = await startTestNode(platform, ports);
  closeAfterTest(() => {
    giveUp.abort();
    return node.close();
  });
  const crl = async () =>
    parseCrl(new Uint8Array(await (await fetch(`${node.url}/crl/${good.uuid}.crl`)).arrayBuffer()));
  /** Revokes a certificate of an authority, announces the revocation, and returns the serial number. */
  const revokeOneOf = async (authority: TestAuthority) => {
    const leaf = await authority.issue();
    authority.revoke(leaf);
    const event = { certificateUuid: leaf.uuid, raProfileUuid: authority.uuid, issuerCertificateUuid: null };
    await node.parts.jobs.afterRevocation(event);
    return leaf.certificate.serialBytes;
  };
  return { platform, connector, good, hanging, node, crl, revokeOneOf, giveUp };
}

it("a revocation is in its authority's CRL within seconds, regardless of the number of revocations pending at a hanging connector", async () => {
  const { connector, good, hanging, crl, revokeOneOf } = await setUp();
  await crl();
  for (const authority of hanging) await revokeOneOf(authority);
  await vi.waitFor(() => expect(connector.fake.callsTo(GET_CRL).length).toBeGreaterThan(1), SOON);
  const serial = await revokeOneOf(good);
  await expect.poll(async () => findRevoked(await crl(), serial) !== undefined, SOON).toBe(true);
  // The hanging connector's own share is bounded.
  expect(connector.fake.callsTo(GET_CRL).length).toBeLessThanOrEqual(4);
});

it('scheduled work is done repeatedly, despite many pending tasks of a hanging connector', async () => {
  const { platform, connector, good, hanging, node, crl } = await setUp();
  const makeDue = (uuids: readonly string[]) =>
    platform.database.query(
      `INSERT INTO revocation_duty (authority_uuid, duty, outcome) SELECT unnest($1::uuid[]), 'full', 'failed'
       ON CONFLICT (authority_uuid, duty) DO UPDATE SET outcome = 'failed', due_at = now()`,
      [uuids],
    );
  await makeDue(hanging.map(({ uuid }) => uuid));
  await node.parts.jobs.onSchedule();
  await vi.waitFor(() => expect(connector.fake.callsTo(GET_CRL)).toHaveLength(4), SOON);
  await crl();
  for (const calls of [2, 3]) {
    await vi.waitFor(async () => {
      await makeDue([good.uuid]);
      await node.parts.jobs.onSchedule();
      expect(good.calls.crl).toBeGreaterThanOrEqual(calls);
    }, SOON);
  }
  expect(connector.fake.callsTo(GET_CRL)).toHaveLength(4);
});

it('shutdown completes after aborting calls in progress, and the next start resumes the pending revocations', async () => {
  const { platform, connector, hanging, node, revokeOneOf, giveUp } = await setUp();
  for (const authority of hanging) await revokeOneOf(authority);
  await vi.waitFor(() => expect(connector.fake.callsTo(GET_CRL).length).toBeGreaterThan(1), SOON);
  giveUp.abort();
  await node.parts.jobs.stop();
  const left = await platform.database.query(
    'SELECT FROM awaited_revocation WHERE due_at <= clock_timestamp() AND attempts = 0',
  );
  expect(left).toHaveLength(HANGING);
});
