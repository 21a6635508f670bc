// Calls to the provider for a single discovery.
import { discoveryProviderOperations, type DiscoveryProviderDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import { callFailureOf, type Connectors } from '../connectors/index.ts';
import type { DiscoveryRow } from './tables.ts';

export interface ProviderParts {
  readonly attributes: AttributeEngine;
  readonly connectors: Pick<Connectors, 'client'>;
}

export type Provider = ReturnType<typeof createProvider>;

/** Returns the key of a discovery's value set, scoped to its connector. */
export const valueSet = (row: Pick<DiscoveryRow, 'uuid' | 'connector_uuid'>) => ({
  object: { resource: 'discoveries', uuid: row.uuid } as const,
  scope: { connectorUuid: row.connector_uuid },
});

export function createProvider({ attributes, connectors }: ProviderParts) {
  const { discoverCertificate, getDiscovery, deleteDiscovery } = discoveryProviderOperations;

  function clientOf({ connector_uuid: connectorUuid, connector_name: name }: DiscoveryRow) {
    if (connectorUuid === null) throw rejected(`Connector ${name} has been removed.`);
    return connectors.client(connectorUuid);
  }

  return {
    /**
     * Providers that support the idempotency key start the discovery only once. Other providers may search twice if
     * this node stops before it receives the response, which is harmless.
     */
    async begin(row: DiscoveryRow, signal: AbortSignal): Promise<DiscoveryProviderDto> {
      const client = await clientOf(row);
      const { object, scope } = valueSet(row);
      const sent = await attributes.expandCredentials(await attributes.readForConnector(object, scope));
      const body = { name: row.name, kind: row.kind, attributes: sent };
      return client.call(discoverCertificate, { body }, { signal, idempotencyKey: row.uuid });
    },

    async page(row: DiscoveryRow, pageNumber: number, signal: AbortSignal): Promise<DiscoveryProviderDto> {
      const client = await clientOf(row);
      const { name, kind, page_size: itemsPerPage, provider_uuid: uuid } = row;
      return client.call(
        getDiscovery,
        { params: { uuid: uuid ?? '' }, body: { name, kind, pageNumber, itemsPerPage } },
        { signal },
      );
    },

    /** The provider may already have deleted the discovery. */
    async forget(connectorUuid: string, uuid: string, signal: AbortSignal): Promise<void> {
      const client = await connectors.client(connectorUuid);
      try {
        await client.call(deleteDiscovery, { params: { uuid } }, { signal });
      } catch (error) {
        const kind = callFailureOf(error)?.kind;
        if (kind !== 'notFound' && kind !== 'notOffered') throw error;
      }
    },
  };
}
