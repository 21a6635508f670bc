// A connector registers itself over HTTP, is approved by a user with permission, and from then on verifies the
// platform's tokens.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import {
  createSealing,
  handlersOf,
  platformTokens,
  serveConnector,
  type Connector,
  type ConnectorStorage,
  type PlatformTokenCheck,
} from '@signetry/connector-sdk';
import { connectorBaseOperations } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import { userWithRole } from './testing/limited-user.ts';

const server = sharedTestServer({
  args: ['--egress-allowed-hosts', '127.0.0.1', '--limit-connector-registrations', '6/hour'],
});

const announced: Connector = {
  name: 'announced',
  functionGroups: [{ code: 'credentialProvider', kinds: ['Announced'] }],
  migrations: [],
  create: () => ({
    handlers: handlersOf(connectorBaseOperations, {
      listAttributeDefinitions: () => [],
      validateAttributes: () => undefined,
    }),
  }),
};

/** Storage whose statements succeed and return no rows. */
const noStorage: ConnectorStorage = {
  schema: 'connector_announced',
  table: (name) => `connector_announced.${name}`,
  query: () => Promise.resolve([]),
  transaction: (work) => work(noStorage),
};

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Serves the connector on a separate port; counts accepted and rejected calls. */
async function serve() {
  const counts = { accepted: 0, refused: 0 };
  let check: PlatformTokenCheck = () => Promise.resolve(false);
  const served = await serveConnector(announced, {
    context: {
      storage: noStorage,
      ...createSealing(randomBytes(32)),
      clock: { now: () => new Date() },
      randomBytes: (length) => new Uint8Array(randomBytes(length)),
      log: quiet,
    },
    authorize: async (caller) => {
      const isAccepted = await check(caller);
      counts[isAccepted ? 'accepted' : 'refused'] += 1;
      return isAccepted;
    },
  });
  onTestFinished(() => served.close());
  // Tokens contain the platform's public URL; the tests reach it through its plain HTTP listener.
  const keysUrl = `${server.ready.http}/api/x/v1/connectorTokenKeys`;
  check = platformTokens({ issuer: server.running.platform.publicUrl(), audience: served.url, keysUrl });
  return { url: served.url, counts };
}

describe('a self-registering connector', () => {
  it('is not called until it is approved; then it accepts calls from the platform, and from no other caller', async () => {
    const { client, clientOf } = server;
    const { url, counts } = await serve();
    const body = { name: 'announced', url, authType: 'jwt' as const };
    const { uuid } = await clientOf().connectors.registerConnector({ body });
    const waiting = await client.connectors.listConnectors({ query: { status: 'waitingForApproval' } });
    expect(waiting).toMatchObject([{ uuid, name: 'announced', functionGroups: [] }]);
    await expect(client.connectors.checkConnectorHealth({ params: { uuid } })).rejects.toMatchObject({ status: 400 });
    expect(counts).toEqual({ accepted: 0, refused: 0 });

    await client.connectors.approveConnector({ params: { uuid } });
    expect(await client.connectors.getConnector({ params: { uuid } })).toMatchObject({ status: 'connected' });
    await client.connectorCalls.rotateConnectorTokenKey();
    expect(await client.connectors.checkConnectorHealth({ params: { uuid } })).toMatchObject({ status: 'ok' });
    expect(counts.refused).toBe(0);
    expect((await fetch(`${url}/v1`)).status).toBe(401);
    await expect(client.connectors.approveConnector({ params: { uuid } })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('is already approved') as string,
    });
  });

  it('cannot be approved by a user without permission to do so', async () => {
    const { clientOf } = server;
    const body = { name: 'coveted', url: 'http://127.0.0.1:1', authType: 'none' as const };
    const { uuid } = await clientOf().connectors.registerConnector({ body });
    const allButApproval = { name: 'connectors', actions: ['list', 'detail', 'create', 'update', 'connect', 'delete'] };
    const { client } = await userWithRole(server, [{ ...allButApproval, allowAllActions: false }]);
    for (const who of [client, clientOf()]) {
      const status = who === client ? 403 : 401;
      await expect(who.connectors.approveConnector({ params: { uuid } })).rejects.toMatchObject({ status });
      await expect(who.connectors.bulkApproveConnector({ body: [uuid] })).rejects.toMatchObject({ status });
      await expect(who.connectorCalls.rotateConnectorTokenKey()).rejects.toMatchObject({ status });
    }
  });

  it('cannot make the platform call forbidden hosts, regardless of the URL that it specifies', async () => {
    let calls = 0;
    const target = createServer((_request, response) => {
      calls += 1;
      response.end('[]');
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void target.close());
    const { port } = target.address() as AddressInfo; // A listening TCP server has this address type.
    const { connectors } = server.clientOf();
    const register = (name: string, url: string) =>
      connectors.registerConnector({ body: { name, url, authType: 'none' } });
    await register('inside', `http://127.0.0.1:${port}`);
    await expect(register('metadata', 'http://169.254.169.254/')).rejects.toMatchObject({ status: 400 });
    expect(calls).toBe(0);
    const { client } = server;
    const records = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 100 } });
    expect(JSON.stringify(records)).toContain('"register"');
  });

  it('is rejected with 429 after several registrations within an hour', async () => {
    const { connectors } = server.clientOf();
    const statuses: unknown[] = [];
    for (let at = 0; at < 7; at += 1) {
      const body = { name: `many ${at}`, url: 'http://127.0.0.1:1', authType: 'none' as const };
      statuses.push(
        await connectors.registerConnector({ body }).then(
          () => 200,
          (error: { status?: number }) => error.status,
        ),
      );
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
