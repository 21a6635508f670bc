// Entry point for the attributes of objects at a connector. The connector validates them first; the platform then
// validates them against the connector's definitions.
import {
  connectorBaseOperations,
  type BaseAttributeDto,
  type FunctionGroupCode,
  type RequestAttributeDto,
} from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import type { AttributeEngine, CredentialUse } from '../attributes/index.ts';
import { isMissing } from './call-failure.ts';
import type { Clients, ConnectorClient } from './clients.ts';

/** The user who provides the values determines which credentials and keys they can refer to. */
export interface ProviderKind extends CredentialUse {
  readonly connectorUuid: string;
  readonly functionGroup: FunctionGroupCode;
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
}

/** The two calls that validate a set of attributes, e.g. the attributes of an RA profile. */
export interface AttributeExchange extends CredentialUse {
  readonly connectorUuid: string;
  /** Sends the values; the connector rejects them with a list of problems. */
  readonly validate: (attributes: readonly RequestAttributeDto[]) => Promise<unknown>;
  readonly list: () => Promise<readonly BaseAttributeDto[]>;
}

export function createProviderAttributes(clients: Clients, attributes: AttributeEngine) {
  const { listAttributeDefinitions, validateAttributes } = connectorBaseOperations;

  async function clientOfKind({ connectorUuid, functionGroup, kind }: ProviderKind): Promise<ConnectorClient> {
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
   * Validates the values at the connector, if it supports that, then here; returns them in the form to store and send.
   */
  async function accept(
    exchange: AttributeExchange,
    requested: readonly RequestAttributeDto[],
  ): Promise<RequestAttributeDto[]> {
    await attributes.assertCredentialsUsable(requested, exchange);
    await exchange.validate(await attributes.expandCredentials(requested)).catch((error: unknown) => {
      // Connectors need not validate: the definitions are checked below.
      if (!isMissing(error)) throw error;
    });
    const values = { connectorUuid: exchange.connectorUuid, definitions: await exchange.list(), requested };
    await attributes.assertSigningKeysUsable(values, exchange);
    return attributes.validate(values);
  }

  const listOfKind = (client: ConnectorClient, { functionGroup, kind, signal }: ProviderKind) =>
    client.call(listAttributeDefinitions, { params: { functionalGroup: functionGroup, kind } }, { signal });

  return {
    accept,
    /** Returns the definitions for a kind from a usable connector. */
    definitionsOfKind: async (provider: ProviderKind): Promise<BaseAttributeDto[]> =>
      listOfKind(await clientOfKind(provider), provider),
    /** Validates the attributes for a kind, e.g. the attributes of a new authority. */
    acceptOfKind: async (
      provider: ProviderKind,
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
