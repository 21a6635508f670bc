// Discoveries of the shelf provider and of built-in connectors: starting them and waiting for them.
import type { Client } from '@signetry/client';
import type { DiscoveryProgress, RequestAttributeDto } from '@signetry/contract';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { derMaker } from '../../load/import.ts';
import {
  storeAttributes,
  KEY_STORE_KIND,
  type DiscoveryProvider,
  type StoreResult,
} from '../../load/discovery-provider.ts';

/** Returns a function that creates results with unique certificates. */
export async function resultMaker(): Promise<(count: number) => StoreResult[]> {
  const one = await derMaker();
  return (count) => Array.from({ length: count }, () => ({ base64Content: Buffer.from(one()).toString('base64') }));
}

export async function registerProvider(client: Client, { url }: Pick<DiscoveryProvider, 'url'>, name = 'shelves') {
  const { uuid } = await client.connectors.createConnector({ body: { name, url, authType: 'none' } });
  return uuid;
}

export interface DiscoverySpec {
  readonly name: string;
  readonly connectorUuid: string;
  readonly shelf?: string;
}

export async function begin(client: Client, { name, connectorUuid, shelf = name }: DiscoverySpec): Promise<string> {
  const body = { name, connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes(shelf) };
  return (await client.discoveries.createDiscovery({ body })).uuid;
}

/** Waits until the condition is met; the counters of every intermediate state must add up. */
export async function waitUntil(
  client: Client,
  uuid: string,
  isSo: (progress: DiscoveryProgress) => boolean,
): Promise<DiscoveryProgress> {
  for (;;) {
    const progress = await client.discoveryRuns.getDiscoveryProgress({ params: { uuid } });
    const { read, found, repeated, refused } = progress;
    if (read !== found + repeated + refused) throw new Error(`The counters do not add up: ${JSON.stringify(progress)}`);
    if (isSo(progress)) return progress;
    await delay(50);
  }
}

export const waitForEnd = (client: Client, uuid: string): Promise<DiscoveryProgress> =>
  waitUntil(client, uuid, ({ phase }) => phase === 'ended');

export const discover = async (client: Client, wish: DiscoverySpec): Promise<DiscoveryProgress> =>
  waitForEnd(client, await begin(client, wish));

/** Runs a discovery with form values by name; content types come from the form. */
export async function discoverOfKind(client: Client, kind: string, values: Readonly<Record<string, unknown>>) {
  const functionGroup = 'discoveryProvider' as const;
  const [connector] = await client.connectors.listConnectors({ query: { functionGroup, kind } });
  if (!connector) throw new Error(`no connector has the kind ${kind}`);
  const connectorUuid = connector.uuid;
  const form = await client.connectors.getConnectorAttributes({ params: { uuid: connectorUuid, functionGroup, kind } });
  const attributes = form.flatMap(({ uuid, name, type, ...rest }): RequestAttributeDto[] => {
    if (type !== 'data' || values[name] === undefined || !('contentType' in rest)) return [];
    const { contentType } = rest;
    // The content type comes from the form.
    return [{ uuid, name, contentType, content: [{ data: values[name] }] } as RequestAttributeDto];
  });
  const body = { name: `${kind} ${randomUUID()}`, connectorUuid, kind, attributes };
  const { uuid } = await client.discoveries.createDiscovery({ body });
  const progress = await waitForEnd(client, uuid);
  const page = { itemsPerPage: 100, pageNumber: 1 };
  const { certificates } = await client.discoveries.getDiscoveryCertificates({ params: { uuid }, query: page });
  return { progress, names: certificates.map(({ commonName }) => commonName).toSorted(), certificates };
}
