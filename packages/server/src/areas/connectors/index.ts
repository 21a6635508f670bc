// Connectors: what provides authorities, discoveries and the like, reached over HTTP or built in.
// Owns: connector, connector_function_group. Invariants: names are unique; a connector that waits for approval is not
// used; a built-in has one row and stays; no call is made inside a transaction.
import type { Connector } from '@signetry/connector-sdk';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import { authColumn, createAuthVault } from './authentication.ts';
import { createBuiltIns, type BuiltInParts } from './built-ins.ts';
import { createClients, type ConnectorClient, type ConnectorFacts } from './clients.ts';
import { createConnectorAttributes } from './connector-attributes.ts';
import { createDependantRegistry, type Dependants } from './dependants.ts';
import { createProviderAttributes } from './provider-attributes.ts';
import { connectorRoutes } from './routes.ts';
import { createConnectorService } from './service.ts';
import { connectors } from './store.ts';

export { callFailureOf, isOutcomeUnknown } from './call-failure.ts';
export { CONNECTION_TTL_MS, type ConnectorClient, type ConnectorFacts } from './clients.ts';
export { createDependantRegistry, type DependantRegistry, type Dependants } from './dependants.ts';
export { PROBE_TIMEOUT_MS, type ConnectorAnswer } from './transport.ts';

/** What other areas use of connectors. */
export interface Connectors extends ReturnType<typeof createProviderAttributes> {
  /** Client of a connector; 404 when there is none, 422 while it waits for approval. Cached for seconds. */
  client(uuid: string): Promise<ConnectorClient>;
  /** What is known without a call. Cached for seconds. */
  facts(uuid: string): Promise<ConnectorFacts>;
  registerBuiltIn(connector: Connector): Promise<string>;
  /** What keeps a built-in connector from its work; undefined while all are well. */
  findBuiltInProblem(): Promise<string | undefined>;
  registerDependants(dependants: Dependants): void;
}

export function createConnectorsArea(
  platform: Platform,
  areas: BuiltInParts & { readonly attributes: AttributeEngine },
): Area & Connectors {
  const { attributes, audit } = areas;
  const { database, clock } = platform;
  const vault = createAuthVault(platform.sealer);
  const builtIns = createBuiltIns(platform, areas);
  const clients = createClients(platform, { builtIns, vault });
  const dependants = createDependantRegistry();
  const provider = createProviderAttributes(clients, attributes);
  const service = createConnectorService(platform, { audit, attributes, clients, vault, builtIns, dependants });
  attributes.registerConnectorNames(async (uuids) => {
    const rows = await connectors.findMany(database.executor, uuids);
    return new Map(rows.map(({ uuid, name }) => [uuid, name]));
  });

  return {
    routes: connectorRoutes({
      service,
      attributes: createConnectorAttributes(clients, provider),
      monotonicMs: () => clock.monotonicMs(),
    }),
    ...provider,
    client: clients.client,
    facts: clients.facts,
    registerBuiltIn: builtIns.register,
    findBuiltInProblem: builtIns.findProblem,
    registerDependants: dependants.register,
    objectNames: { connectors: connectors.findNames },
    sealedColumns: () => [authColumn, ...builtIns.sealedColumns()],
    stop: async () => {
      await clients.stop();
      await builtIns.stop();
    },
  };
}
