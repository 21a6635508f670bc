// The operations of the discovery provider.
import { randomUUID } from 'node:crypto';
import { notFound, refuseIf, rejected, type ConnectorContext, type FunctionHandlers } from '@signetry/connector-sdk';
import type { DiscoveryRequestDto } from '@signetry/contract';
import { planOf, readScanWish, scanAttributes, type ScanWish } from './attributes/scan-attributes.ts';
import type { DiscoveryRow } from './jobs/discovery-store.ts';
import type { ConnectorParts } from './parts.ts';
import { presentDiscovery } from './present-discovery.ts';
import { boundsOf, parseHosts } from './targets/hosts.ts';

/** Larger answers are more than platforms take. */
const MAX_PAGE = 1_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const handlers = (parts: ConnectorParts): FunctionHandlers<'discoveryProvider'> => ({
  listAttributeDefinitions: () => scanAttributes(),
  validateAttributes: ({ body }) => {
    acceptWish(parts.context, body);
  },
  discoverCertificate: ({ body, idempotencyKey }) =>
    parts.idempotency.carryOut(
      { operation: 'discoverCertificate', key: idempotencyKey, request: body },
      {
        prepare: () => ({ uuid: randomUUID(), wish: acceptWish(parts.context, body.attributes ?? []) }),
        perform: async ({ uuid, wish }) => presentDiscovery(await start(parts, { uuid, wish, name: body.name })),
      },
    ),
  getDiscovery: async ({ params, body }) => {
    const { pageNumber, itemsPerPage } = body;
    if (pageNumber < 1 || itemsPerPage < 1 || itemsPerPage > MAX_PAGE)
      throw rejected(`A page has a number from 1 and between 1 and ${MAX_PAGE} certificates.`);
    const row = await find(parts, params.uuid);
    const offset = (pageNumber - 1) * itemsPerPage;
    // Read behind the row, so that a page never has more than the total says, nor less.
    const limit = Math.max(0, Math.min(itemsPerPage, row.certificates - offset));
    return presentDiscovery(row, limit === 0 ? [] : await parts.store.findPage(row.uuid, { offset, limit }));
  },
  deleteDiscovery: async ({ params }) => {
    const { uuid } = await find(parts, params.uuid);
    await parts.store.remove(uuid);
    parts.runs.abandon(uuid);
  },
});

async function find({ store }: ConnectorParts, uuid: string): Promise<DiscoveryRow> {
  const row = UUID.test(uuid) ? await store.find(uuid) : undefined;
  if (!row) throw notFound('Discovery', uuid);
  return row;
}

async function start(
  { context, store, runs }: ConnectorParts,
  { uuid, wish, name }: { readonly uuid: string; readonly wish: ScanWish; readonly name: DiscoveryRequestDto['name'] },
): Promise<DiscoveryRow> {
  await store.insert({ uuid, name, wish, total_targets: planOf(wish).total }, context.clock.now());
  runs.look();
  const row = await store.find(uuid);
  if (!row) throw rejected('The discovery was deleted while it was being started.');
  return row;
}

/** Names are checked when they are resolved; of addresses it can be told at once whether they may be scanned. */
function acceptWish({ egress }: ConnectorContext, attributes: Parameters<typeof readScanWish>[0]): ScanWish {
  const wish = readScanWish(attributes);
  if (!egress) throw rejected('The host of this connector lets it reach no address.');
  refuseIf(
    boundsOf(parseHosts(wish.hosts).hosts).flatMap((address) => {
      try {
        egress.assertAddress(address, { address });
        return [];
      } catch (error) {
        return error instanceof Error ? [error.message] : [];
      }
    }),
  );
  return wish;
}
