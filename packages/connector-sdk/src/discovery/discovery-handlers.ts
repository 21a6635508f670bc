// Operations of a discovery provider, for any kind.
import { randomUUID } from 'node:crypto';
import type { DiscoveryRequestDto, DiscoveryProviderDto } from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import { notFound, rejected } from '../connector-error.ts';
import type { FunctionHandlers } from '../function-handlers.ts';
import type { IdempotencyJournal } from '../journal/idempotency-journal.ts';
import type { AcceptedSpec, DiscoveryKind } from './discovery-kind.ts';
import { secretsPurpose } from './discovery-migrations.ts';
import type { DiscoveryRuns } from './discovery-runs.ts';
import type { DiscoveryRow, DiscoveryStore, FoundRow } from './discovery-store.ts';

/** Maximum page size. Platforms do not accept larger responses. */
const MAX_PAGE = 1_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export interface DiscoveryParts<Wish, Checkpoint, Sighting> {
  readonly context: Pick<ConnectorContext, 'clock' | 'log' | 'open' | 'seal'>;
  readonly kind: DiscoveryKind<Wish, Checkpoint, Sighting>;
  readonly store: DiscoveryStore<Wish, Checkpoint, Sighting>;
  readonly runs: DiscoveryRuns<Wish, Checkpoint, Sighting>;
  readonly idempotency: IdempotencyJournal;
}

export const discoveryHandlers = <Wish, Checkpoint, Sighting>(
  parts: DiscoveryParts<Wish, Checkpoint, Sighting>,
): FunctionHandlers<'discoveryProvider'> => ({
  listAttributeDefinitions: () => parts.kind.attributes(),
  validateAttributes: async ({ body }) => {
    await parts.kind.accept(body);
  },
  discoverCertificate: ({ body, idempotencyKey }) =>
    parts.idempotency.carryOut(
      { operation: 'discoverCertificate', key: idempotencyKey, request: body },
      {
        // Only the identifier is stored, because data derived from the request may contain secrets.
        prepare: async () => {
          await parts.kind.accept(body.attributes ?? []);
          return { uuid: randomUUID() };
        },
        perform: async ({ uuid }) => {
          const accepted = await parts.kind.accept(body.attributes ?? []);
          return presentDiscovery(parts.kind, await start(parts, { uuid, accepted, name: body.name }));
        },
      },
    ),
  getDiscovery: async ({ params, body }) => {
    const { pageNumber, itemsPerPage } = body;
    if (pageNumber < 1 || itemsPerPage < 1 || itemsPerPage > MAX_PAGE)
      throw rejected(`The page number must be at least 1, and the page size must be between 1 and ${MAX_PAGE}.`);
    const row = await find(parts, params.uuid);
    const offset = (pageNumber - 1) * itemsPerPage;
    // Certificates are read after the row, so that the pages match the total exactly.
    const limit = Math.max(0, Math.min(itemsPerPage, row.certificates - offset));
    return presentDiscovery(
      parts.kind,
      row,
      limit === 0 ? [] : await parts.store.findPage(row.uuid, { offset, limit }),
    );
  },
  deleteDiscovery: async ({ params }) => {
    const { uuid } = await find(parts, params.uuid);
    await parts.store.remove(uuid);
    parts.runs.abandon(uuid);
  },
});

async function find<Wish, Checkpoint, Sighting>(
  { store }: DiscoveryParts<Wish, Checkpoint, Sighting>,
  uuid: string,
): Promise<DiscoveryRow<Wish, Checkpoint>> {
  const row = UUID.test(uuid) ? await store.find(uuid) : undefined;
  if (!row) throw notFound('Discovery', uuid);
  return row;
}

async function start<Wish, Checkpoint, Sighting>(
  { context, store, runs }: DiscoveryParts<Wish, Checkpoint, Sighting>,
  { uuid, accepted, name }: {
    readonly uuid: string;
    readonly accepted: AcceptedSpec<Wish, Checkpoint>;
    readonly name: DiscoveryRequestDto['name'];
  }, // prettier-ignore
): Promise<DiscoveryRow<Wish, Checkpoint>> {
  const { wish, checkpoint, secrets } = accepted;
  const sealed = secrets ? context.seal(secrets, secretsPurpose(uuid)) : null;
  await store.insert({ uuid, name, wish, checkpoint, sealed_secrets: sealed }, context.clock.now());
  runs.look();
  const row = await store.find(uuid);
  if (!row) throw rejected('The discovery was deleted while it was starting.');
  return row;
}

/** Returns a discovery and certificates in the interface's format. */
function presentDiscovery<Wish, Checkpoint, Sighting>(
  kind: DiscoveryKind<Wish, Checkpoint, Sighting>,
  row: DiscoveryRow<Wish, Checkpoint>,
  found: readonly FoundRow<Sighting>[] = [],
): DiscoveryProviderDto {
  return {
    uuid: row.uuid,
    name: row.name,
    status: row.status,
    totalCertificatesDiscovered: row.certificates,
    certificateData: found.map((each) => ({
      uuid: each.uuid,
      base64Content: Buffer.from(each.der).toString('base64'),
      meta: kind.certificateMetadata(each),
    })),
    meta: kind.metadata(row),
  };
}
