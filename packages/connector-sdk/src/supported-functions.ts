// Response to `GET /v1`: the function groups of a connector and their endpoints. Derived from its handlers, so it is
// always accurate.
import { createHash } from 'node:crypto';
import {
  connectorBaseOperations,
  featureEndpoint,
  FunctionGroupCode,
  functionGroupOperations,
  functionGroupSpecifications,
  type EndpointDto,
  type EndpointSpecification,
  type Operation,
} from '@signetry/contract';
import type { Connector, RunningConnector } from './connector.ts';

/** A function group as declared to platforms. */
export interface SupportedFunctionGroup {
  functionGroupCode: FunctionGroupCode;
  kinds: string[];
  endPoints: EndpointDto[];
}

export function listSupportedFunctions(running: RunningConnector): SupportedFunctionGroup[] {
  const operations = operationsOf(running);
  return running.connector.functionGroups.map(({ code, kinds, features }) => ({
    functionGroupCode: code,
    kinds: [...kinds],
    endPoints: [
      ...operations.flatMap((operation) => endpointOf(operation, code) ?? []),
      ...(features ?? []).map(featureEndpoint),
    ],
  }));
}

/** Returns endpoints that platforms require but no handler implements; platforms reject a connector that lacks one. */
export function missingEndpoints(running: RunningConnector): string[] {
  const operations = operationsOf(running);
  return running.connector.functionGroups.flatMap(({ code }) =>
    functionGroupSpecifications[code].endpoints
      .filter((endpoint) => endpoint.required)
      .filter((endpoint) => !operations.some((operation) => matchesEndpoint(endpoint, operation, code)))
      .map((endpoint) => `${endpoint.method} ${endpoint.context}`),
  );
}

const operationsOf = (running: RunningConnector): readonly Operation[] => [
  connectorBaseOperations.listSupportedFunctions,
  connectorBaseOperations.checkHealth,
  ...Object.values(running.handlers).map((implementation) => implementation.operation),
];

/**
 * Returns the path of an operation in a function group: operations common to all groups have a path parameter for the
 * group.
 */
const contextIn = (operation: Operation, group: FunctionGroupCode): string =>
  operation.path.replace('{functionalGroup}', group === 'legacyAuthorityProvider' ? 'authorityProvider' : group);

const matchesEndpoint = (endpoint: EndpointSpecification, operation: Operation, group: FunctionGroupCode): boolean =>
  endpoint.method === operation.method && endpoint.context === contextIn(operation, group);

function endpointOf(operation: Operation, group: FunctionGroupCode): EndpointDto | undefined {
  const specified = functionGroupSpecifications[group].endpoints.find((endpoint) =>
    matchesEndpoint(endpoint, operation, group),
  );
  const context = contextIn(operation, group);
  if (!specified && !belongsTo(operation, group)) return undefined;
  return {
    uuid: specified?.uuid ?? uuidFromName(`${group} ${operation.method} ${context}`),
    // If two operations share a name, a suffix makes the operation identifier unique; endpoint names omit the suffix.
    name: specified?.name ?? operation.id.replace(/_.*$/, ''),
    context,
    method: operation.method,
    required: specified?.required ?? false,
  };
}

/**
 * Operations of the interface belong to known groups. Others, e.g. callbacks, belong to the group named in their path.
 */
function belongsTo(operation: Operation, group: FunctionGroupCode): boolean {
  const folder = /^\/v\d+(?:\/([^/]+))?/.exec(operation.path)?.[1];
  if (folder === undefined || folder === 'health') return true;
  if (hasOperation(group, operation)) return true;
  return (
    !FunctionGroupCode.options.some((code) => hasOperation(code, operation)) &&
    folder === (sharedFolders[group] ?? group)
  );
}

const hasOperation = (group: FunctionGroupCode, { id }: Operation): boolean =>
  Object.values<Operation>(functionGroupOperations[group]).some((operation) => operation.id === id);

/** Function groups whose paths start with a different group's name. */
const sharedFolders: Partial<Record<FunctionGroupCode, string>> = {
  legacyAuthorityProvider: 'authorityProvider',
  complianceProviderV2: 'complianceProvider',
};

/** Returns an identifier derived from a name (RFC 9562 §5.8), for endpoints without a published one. */
function uuidFromName(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the kinds of a function group; empty if the connector does not offer it. */
export const kindsOf = (connector: Pick<Connector, 'functionGroups'>, code: string): readonly string[] =>
  connector.functionGroups.find((group) => group.code === code)?.kinds ?? [];
