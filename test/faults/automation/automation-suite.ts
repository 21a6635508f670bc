// Automation under load: certificates are issued, revoked and discovered while triggers set their group and owner and
// call a webhook.
import { derMaker } from '../../load/import.ts';
import { storeAttributes, KEY_STORE_KIND, startDiscoveryProvider } from '../../load/discovery-provider.ts';
import { Evidence } from '../evidence.ts';
import { connect, findProfile, runLoad } from '../load.ts';
import { missedFaults } from '../planted.ts';
import type { Suite } from '../suite.ts';
import { checkAutomation, LOAD, PENDING_WORK } from './check-automation.ts';
import { declareAutomation } from './declare.ts';
import { plantedAutomationFaults } from './planted-automation.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

type Client = ReturnType<typeof connect>;

/** Certificates found by each discovery. */
const FOUND = 20;
const DROPPED_SHARE = 0.02;

export async function createAutomationSuite(random: () => number): Promise<Suite> {
  const evidence = new Evidence();
  const [provider, receiver, der] = await Promise.all([
    startDiscoveryProvider(),
    startWebhookReceiver({ chance: random, droppedShare: DROPPED_SHARE }),
    derMaker(),
  ]);
  let connectorUuid: string | undefined;
  let discoveries = 0;

  async function declare(client: Client): Promise<string> {
    await declareAutomation(client, { webhookUrl: receiver.url, commonName: LOAD });
    const body = { name: 'shelves', url: provider.url, authType: 'none' as const };
    return (await client.connectors.createConnector({ body })).uuid;
  }

  async function discover(client: Client, uuid: string): Promise<void> {
    const name = `discovery ${(discoveries += 1)}`;
    const results = Array.from({ length: FOUND }, () => ({ base64Content: Buffer.from(der()).toString('base64') }));
    provider.shelves.set(name, { results });
    const body = { name, connectorUuid: uuid, kind: KEY_STORE_KIND, attributes: storeAttributes(name) };
    await client.discoveries.createDiscovery({ body });
  }

  return {
    name: 'automation',
    args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
    points: ['workflows.beforeStep', 'workflows.afterStep', 'notifications.afterCall'],
    openWork: `SELECT count(*) AS open FROM (${PENDING_WORK}) AS under_way`,
    // Leases of runs and deliveries last minutes after a node has died, and so do delays after missing responses.
    passLeases: [
      `UPDATE workflow_run SET due_at = now() WHERE state = 'waiting'`,
      `UPDATE notification_delivery SET next_at = now() WHERE state = 'waiting'`,
    ],
    prepare: async (server) => {
      connectorUuid = await declare(connect(server.ready));
    },
    async load(server, signal) {
      try {
        const client = connect(server.ready);
        if (connectorUuid !== undefined) await discover(client, connectorUuid);
        await runLoad(client, { profile: await findProfile(client), evidence, signal });
      } catch {
        // The platform died before the load started.
      }
    },
    check: (_server, database) => checkAutomation(database, receiver.receipts),
    missedFaults: (_server, database) =>
      missedFaults(database, {
        faults: plantedAutomationFaults,
        check: (queryable) => checkAutomation(queryable, receiver.receipts),
      }),
    summary: () =>
      `${evidence.issued.length} issued, ${evidence.revoked.length} revoked, ${discoveries} discoveries, ` +
      `${receiver.receipts.length} webhooks`,
    close: async () => {
      await Promise.all([provider.stop(), receiver.close()]);
    },
  };
}
