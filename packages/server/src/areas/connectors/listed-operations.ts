// Whether a connector lists an operation of its function groups. Registration ensures that the required operations are
// listed; a connector can omit others. Operations that these lists do not cover, such as CRLs, CA certificates and
// certificate identification, are always called.
import {
  connectorBaseOperations,
  functionGroupOperations,
  functionGroupSpecifications,
  type Operation,
} from '@signetry/contract';
import type { FunctionGroup } from './info-response.ts';

type OperationRoute = Pick<Operation, 'method' | 'path'>;

/** Variable names can differ between connectors. */
const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;

/** Operations that every connector serves. */
const everywhere: ReadonlySet<OperationRoute> = new Set<OperationRoute>(Object.values(connectorBaseOperations));

/**
 * Operations that a connector can be expected to list, by route and by name: some are published under a different path.
 */
const listable: ReadonlySet<string> = new Set(
  Object.values(functionGroupSpecifications).flatMap(({ endpoints }) =>
    endpoints.flatMap(({ name, method, context }) => [routeOf(method, context), `${method} ${name}`]),
  ),
);

/** Names under which operations are listed, by route. */
const namesByRoute = new Map<string, Set<string>>();
for (const table of Object.values(functionGroupOperations)) {
  for (const [name, operation] of Object.entries<OperationRoute>(table)) {
    const route = routeOf(operation.method, operation.path);
    if (everywhere.has(operation)) continue;
    if (!listable.has(route) && !listable.has(`${operation.method} ${name}`)) continue;
    namesByRoute.set(route, (namesByRoute.get(route) ?? new Set()).add(name));
  }
}

/**
 * Returns whether the operation belongs to a function group but the connector did not list it. A matching name is
 * sufficient, because some paths are published in two forms. Removals are always called, so that nothing is left behind
 * unnoticed.
 */
export function isUnlisted(operation: OperationRoute, groups: readonly Pick<FunctionGroup, 'endPoints'>[]): boolean {
  const route = routeOf(operation.method, operation.path);
  const names = namesByRoute.get(route);
  if (!names || operation.method === 'DELETE') return false;
  return !groups.some(({ endPoints }) =>
    endPoints.some(
      ({ name, method, context }) =>
        routeOf(method, context) === route || (names.has(name) && method.toUpperCase() === operation.method),
    ),
  );
}
