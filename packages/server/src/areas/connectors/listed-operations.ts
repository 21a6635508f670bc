// Whether a connector lists an operation that function groups list. Registration sees to it that it lists what they
// demand; others it may leave out. Of what the interface has no place for in these lists, such as CRLs, CA certificates
// and the identification of certificates, connectors say nothing: they are asked.
import {
  connectorBaseOperations,
  functionGroupOperations,
  functionGroupSpecifications,
  type Operation,
} from '@signetry/contract';
import type { FunctionGroup } from './info-answer.ts';

type Routed = Pick<Operation, 'method' | 'path'>;

/** Names of variables are each connector's own affair. */
const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;

/** What every connector serves. */
const everywhere: ReadonlySet<Routed> = new Set<Routed>(Object.values(connectorBaseOperations));

/** What a connector can be expected to list, by route and by name: some are published under another path. */
const listable: ReadonlySet<string> = new Set(
  Object.values(functionGroupSpecifications).flatMap(({ endpoints }) =>
    endpoints.flatMap(({ name, method, context }) => [routeOf(method, context), `${method} ${name}`]),
  ),
);

/** The names under which operations are listed, by their routes. */
const namesByRoute = new Map<string, Set<string>>();
for (const table of Object.values(functionGroupOperations)) {
  for (const [name, operation] of Object.entries<Routed>(table)) {
    const route = routeOf(operation.method, operation.path);
    if (everywhere.has(operation)) continue;
    if (!listable.has(route) && !listable.has(`${operation.method} ${name}`)) continue;
    namesByRoute.set(route, (namesByRoute.get(route) ?? new Set()).add(name));
  }
}

/**
 * Is this an operation of a function group that the connector did not list? The name counts where a path is published
 * in two forms. What is to be removed is asked for all the same, so that nothing stays behind unnoticed.
 */
export function isUnlisted(operation: Routed, groups: readonly Pick<FunctionGroup, 'endPoints'>[]): boolean {
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
