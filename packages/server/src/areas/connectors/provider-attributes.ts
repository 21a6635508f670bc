// The way in for attributes of objects that live at a connector: the connector judges them first, then the platform
// does by the definitions that the connector gives.
import {
  connectorBaseOperations,
  type BaseAttributeDto,
  type FunctionGroupCode,
  type RequestAttributeDto,
} from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { AttributeEngine, CredentialUse } from '../attributes/index.ts';
import { callFailureOf } from './call-failure.ts';
import type { Clients, ConnectorClient } from './clients.ts';

/** Who gives the values decides which credentials and keys these may name. */
export interface KindOfProvider extends CredentialUse {
  readonly connectorUuid: string;
  readonly functionGroup: FunctionGroupCode;
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
}

/** Two calls by which a set of attributes is judged, e.g. those of an RA profile. */
export interface AttributeExchange extends CredentialUse {
  readonly connectorUuid: string;
  /** Sends the values; the connector refuses with a list of complaints. */
  readonly validate: (attributes: readonly RequestAttributeDto[]) => Promise<unknown>;
  readonly list: () => Promise<readonly BaseAttributeDto[]>;
}

export function createProviderAttributes(clients: Clients, attributes: AttributeEngine) {
  const { listAttributeDefinitions, validateAttributes } = connectorBaseOperations;

  async function clientOfKind({ connectorUuid, functionGroup, kind }: KindOfProvider): Promise<ConnectorClient> {
    const client = await clients.client(connectorUuid);
    const { functionGroups } = await clients.facts(connectorUuid);
    const group = functionGroups.find(({ code }) => code === functionGroup);
    if (!group) throw rejected(`The connector ${client.name} does not offer the function group ${functionGroup}.`);
    if (!group.kinds.includes(kind)) {
      throw rejected(
        `The connector ${client.name} does not offer this kind of ${functionGroup}; it offers ${group.kinds.join(', ') || 'none'}.`,
      );
    }
    return client;
  }

  /**
   * Has the connector judge the values, where it does, then judges them here; returns them in the form to be stored and
   * sent on.
   */
  async function accept(
    exchange: AttributeExchange,
    requested: readonly RequestAttributeDto[],
  ): Promise<RequestAttributeDto[]> {
    await attributes.assertCredentialsUsable(requested, exchange);
    await exchange.validate(await attributes.expandCredentials(requested)).catch((error: unknown) => {
      // A connector need not judge: the definitions do, below.
      if (callFailureOf(error)?.kind !== 'notOffered') throw error;
    });
    const values = { connectorUuid: exchange.connectorUuid, definitions: await exchange.list(), requested };
    await attributes.assertSigningKeysUsable(values, exchange);
    return attributes.validate(values);
  }

  const listOfKind = (client: ConnectorClient, { functionGroup, kind, signal }: KindOfProvider) =>
    client.call(listAttributeDefinitions, { params: { functionalGroup: functionGroup, kind } }, { signal });

  return {
    accept,
    /** Definitions of a kind, from a connector that may be used. */
    definitionsOfKind: async (provider: KindOfProvider): Promise<BaseAttributeDto[]> =>
      listOfKind(await clientOfKind(provider), provider),
    /** Attributes of a kind, e.g. those of a new authority. */
    acceptOfKind: async (
      provider: KindOfProvider,
      requested: readonly RequestAttributeDto[],
    ): Promise<RequestAttributeDto[]> => {
      const client = await clientOfKind(provider);
      const params = { functionalGroup: provider.functionGroup, kind: provider.kind };
      const options = { signal: provider.signal };
      return accept(
        {
          ...provider,
          validate: (body) => client.call(validateAttributes, { params, body: [...body] }, options),
          list: () => listOfKind(client, provider),
        },
        requested,
      );
    },
  };
}
