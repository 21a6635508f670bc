// How a notification instance is reached at its connector.
import { notificationProviderOperations, type DataAttribute } from '@signetry/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isMissing, type ConnectorClient, type Connectors } from '../../connectors/index.ts';
import type { InstanceRow } from '../tables.ts';

export interface ReachedInstance {
  readonly client: ConnectorClient;
  /** Parameters of the connector's operations on the instance. */
  readonly params: { readonly uuid: string };
}

/** Refuses an instance whose connector has been removed. */
export async function reachInstance(
  connectors: Pick<Connectors, 'client'>,
  { name, connector_uuid: connectorUuid, connector_instance_uuid: uuid }: InstanceRow,
): Promise<ReachedInstance> {
  if (connectorUuid === null) {
    throw new AppError('invalid_state', {
      what: 'Notification instance',
      name,
      state: 'without its connector, which has been removed',
      needed: 'an instance at a connector that is there',
    });
  }
  return { client: await connectors.client(connectorUuid), params: { uuid } };
}

/** Attributes of recipients that a kind uses; none where the connector has no such thing. */
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
