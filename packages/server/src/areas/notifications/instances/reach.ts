// Access to a notification instance at its connector.
import { notificationProviderOperations, type DataAttribute } from '@signetry/contract';
import { assertReachable, isMissing, type ConnectorClient, type Connectors } from '../../connectors/index.ts';
import { instances } from '../store.ts';
import type { InstanceRow } from '../tables.ts';

export interface ReachedInstance {
  readonly client: ConnectorClient;
  /** Parameters for the connector's operations on the instance. */
  readonly params: { readonly uuid: string };
}

/** Rejects an instance whose connector has been removed. */
export async function reachInstance(
  connectors: Pick<Connectors, 'client'>,
  row: InstanceRow,
): Promise<ReachedInstance> {
  assertReachable(row, instances.what);
  return { client: await connectors.client(row.connector_uuid), params: { uuid: row.connector_instance_uuid } };
}

/**
 * Returns the recipient attributes that a kind uses, or none if the connector does not support recipient attributes.
 */
export async function mappingAttributesOf(
  client: ConnectorClient,
  kind: string,
  signal: AbortSignal,
): Promise<DataAttribute[]> {
  try {
    return await client.call(notificationProviderOperations.listMappingAttributes, { params: { kind } }, { signal });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
