// Connectors: providers of authorities, discoveries and other functions, called over HTTP or built in. Owns: connector,
// connector_function_group, connector_token_key. Invariants: names are unique; a connector that waits for approval is
// neither called nor used; a built-in connector has one row and cannot be removed; no call is sent inside a
// transaction.
//
// call-rules.ts, circuit.ts                   timeout of a call, and whether it is repeated; pause after failures
// clients.ts, exchange.ts                     the client with which other areas call connectors, and one HTTP exchange
// http-transport.ts, in-process-transport.ts  calls over HTTP and to built-in connectors, as in transport.ts
// call-failure.ts                             why a call failed, and whether it may have had an effect
// authentication.ts, auth-attributes.ts       credentials that the platform sends to connectors
// tokens.ts, store-token-keys.ts              tokens for connectors: lifetime, and rotation of their signing keys
// registration.ts, accept-request.ts          self-registration and approval; URL and credentials in requests
// service.ts, same-kinds.ts, dependents.ts    creation, changes and deletion of connectors, and what prevents it
// probe.ts, watch.ts, info-response.ts          whether a connector responds, and what it offers
// built-ins.ts                                connectors inside the platform, whose code is in packages/connectors
// instances/                                  creation, changes and removal of objects at a connector
// provider-attributes.ts                      attributes of objects at a connector
// connector-attributes.ts                     form attributes and health of a connector
// key-exports.ts                              private keys exported by built-in connectors
// listed-operations.ts                        operations that a connector does not list
// store.ts, tables.ts                         queries and rows; probe interval of connectors
// routes.ts, present.ts                       operations and their responses
// later-versions.ts, search-fields.ts         operations of a later interface version; searches
import type { Connector } from '@signetry/connector-sdk';
import type { FunctionGroupCode } from '@signetry/contract';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import { authColumn, createAuthVault } from './authentication.ts';
import { createBuiltIns, type BuiltInParts } from './built-ins.ts';
import { createClients, type ConnectorClient, type ConnectorFacts } from './clients.ts';
import { createConnectorAttributes } from './connector-attributes.ts';
import { createDependentRegistry, type Dependents } from './dependents.ts';
import { createKeyExports, type KeyExports } from './key-exports.ts';
import { laterVersionRoutes } from './later-versions.ts';
import { createProviderAttributes } from './provider-attributes.ts';
import { connectorRoutes } from './routes.ts';
import { createSameKindsRule } from './same-kinds.ts';
import { createConnectorService } from './service.ts';
import { connectors, findAll } from './store.ts';
import { createConnectorTokens, tokenKeyColumn } from './tokens.ts';
import { createConnectorWatch } from './watch.ts';

export { decodeReturnedCertificate } from './returned-certificate.ts';
export { callFailureOf, explainFailure, isMissing, isOutcomeUnknown, type FailureKind } from './call-failure.ts';
export { CONNECTION_TTL_MS, type ConnectorClient, type ConnectorFacts } from './clients.ts';
export { createDependentRegistry, type DependentRegistry, type Dependents } from './dependents.ts';
export { createInstance } from './instances/create-instance.ts';
export { editInstance } from './instances/edit-instance.ts';
export { valueSetOf, type InstanceKind, type InstanceParts } from './instances/instance-kind.ts';
export type { KeyExports } from './key-exports.ts';
export { assertReachable, inspectInstance, type InstanceStatus } from './instances/reach-instance.ts';
export { removeInstance } from './instances/remove-instance.ts';
export type { ConnectorResponse } from './transport.ts';

/** Connector functions for other areas. */
export interface Connectors extends ReturnType<typeof createProviderAttributes>, KeyExports {
  /**
   * Returns the client for a connector; throws 404 if the connector does not exist, or 422 while it is waiting for
   * approval. Cached for a few seconds.
   */
  client(uuid: string): Promise<ConnectorClient>;
  /** Returns facts that are known without calling the connector. Cached for a few seconds. */
  facts(uuid: string): Promise<ConnectorFacts>;
  /** Returns the usable connectors that offer one of these function groups, with their kinds. */
  listOffering(codes: readonly FunctionGroupCode[]): Promise<{ uuid: string; kinds: string[] }[]>;
  registerBuiltIn(connector: Connector): Promise<string>;
  /** Returns the problem that prevents a built-in connector from working; undefined if all are healthy. */
  findBuiltInProblem(): Promise<string | undefined>;
  registerDependants(dependants: Dependents): void;
  /** Probes the connectors that are due; returns true if more may be due. */
  lookAtThoseDue(): Promise<boolean>;
}

export interface ConnectorsParts extends BuiltInParts {
  readonly attributes: AttributeEngine;
  /** Whether a connector can offer exactly the same function groups and kinds as an existing one; default: `accept`. */
  readonly sameKinds?: 'accept' | 'refuse' | undefined;
  readonly callTimeoutMs?: number | undefined;
}

export function createConnectorsArea(platform: Platform, areas: ConnectorsParts): Area & Connectors {
  const { attributes, audit, callTimeoutMs, sameKinds = 'accept' } = areas;
  const { database } = platform;
  const vault = createAuthVault(platform.sealer);
  const builtIns = createBuiltIns(platform, areas);
  const tokens = createConnectorTokens(platform, { audit });
  const clients = createClients(platform, { builtIns, vault, tokens, callTimeoutMs });
  const watch = createConnectorWatch(platform, { audit, clients });
  const dependants = createDependentRegistry();
  const provider = createProviderAttributes(clients, attributes);
  const service = createConnectorService(platform, {
    audit,
    attributes,
    clients,
    vault,
    builtIns,
    dependants,
    refuseSameKinds: createSameKindsRule(platform, sameKinds),
  });
  attributes.registerConnectorNames(async (uuids) => {
    const rows = await connectors.findMany(database.executor, uuids);
    return new Map(rows.map(({ uuid, name }) => [uuid, name]));
  });

  const attributesOfConnectors = createConnectorAttributes(clients, provider);
  return {
    routes: [
      ...connectorRoutes({ service, attributes: attributesOfConnectors, tokens }),
      ...laterVersionRoutes(platform, { service, attributes: attributesOfConnectors }),
    ],
    ...provider,
    ...createKeyExports({ clients, builtIns }),
    client: clients.client,
    facts: clients.facts,
    listOffering: async (codes) =>
      (await findAll(database.executor))
        .filter(({ status }) => status !== 'waitingForApproval')
        .map(({ uuid, functionGroups }) => ({
          uuid,
          kinds: functionGroups.filter(({ code }) => codes.includes(code)).flatMap(({ kinds }) => [...kinds]),
        })),
    registerBuiltIn: builtIns.register,
    findBuiltInProblem: builtIns.findProblem,
    registerDependants: dependants.register,
    objectNames: { connectors: connectors.findNames },
    sealedColumns: () => [authColumn, tokenKeyColumn, ...builtIns.sealedColumns()],
    lookAtThoseDue: watch.runOnce,
    start: async () => watch.start(),
    stop: async () => {
      await watch.stop();
      await clients.stop();
      await builtIns.stop();
    },
  };
}
