// A connector's form attributes and health, which are read by calls without side effects.
import {
  connectorBaseOperations,
  FunctionGroupCode,
  type BaseAttributeDto,
  type HealthDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import type { Clients } from './clients.ts';
import type { createProviderAttributes } from './provider-attributes.ts';

export type AttributesByKind = Partial<Record<FunctionGroupCode, Record<string, BaseAttributeDto[]>>>;

export type ConnectorAttributes = ReturnType<typeof createConnectorAttributes>;

export function createConnectorAttributes(clients: Clients, provider: ReturnType<typeof createProviderAttributes>) {
  const { listAttributeDefinitions, checkHealth } = connectorBaseOperations;

  /** Returns the connector's current attribute definitions for a kind. */
  async function definitionsOfKind(
    key: { uuid: string; functionGroup: FunctionGroupCode; kind: string },
    context: RequestContext,
  ): Promise<BaseAttributeDto[]> {
    const { uuid, functionGroup, kind } = key;
    const client = await clients.client(uuid);
    const group = (await clients.facts(uuid)).functionGroups.find(({ code }) => code === functionGroup);
    if (!group?.kinds.includes(kind)) throw notFound('Connector kind', `${functionGroup} ${kind.slice(0, 100)}`);
    return client.call(
      listAttributeDefinitions,
      { params: { functionalGroup: functionGroup, kind } },
      { signal: context.signal },
    );
  }

  async function definitionsOfAllKinds(uuid: string, context: RequestContext): Promise<AttributesByKind> {
    const { functionGroups } = await clients.facts(uuid);
    const result: AttributesByKind = {};
    for (const { code: functionGroup, kinds } of functionGroups) {
      const entries = kinds.map(
        async (kind) => [kind, await definitionsOfKind({ uuid, functionGroup, kind }, context)] as const,
      );
      result[functionGroup] = Object.fromEntries(await Promise.all(entries));
    }
    return result;
  }

  async function validate(
    key: { uuid: string; functionGroup: string; kind: string },
    requested: readonly RequestAttributeDto[],
    context: RequestContext,
  ): Promise<void> {
    const functionGroup = FunctionGroupCode.safeParse(key.functionGroup);
    if (!functionGroup.success) throw rejected('The function group does not exist.');
    const { uuid: connectorUuid, kind } = key;
    await provider.acceptOfKind(
      { connectorUuid, functionGroup: functionGroup.data, kind, signal: context.signal, actor: context.actor },
      requested,
    );
  }

  async function health(uuid: string, context: RequestContext): Promise<HealthDto> {
    const client = await clients.clientToLookAt(uuid);
    return client.call(checkHealth, {}, { signal: context.signal });
  }

  return { definitionsOfKind, definitionsOfAllKinds, validate, health };
}
