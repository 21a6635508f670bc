// Determines which keys a caller can see and change: keys in tokens for which the caller has the `members` permission,
// and keys that the caller owns. Keys in groups for which the caller has `members` are read-only.
import { ownObjectsInBody } from '@signetry/contract';
import { isUnlimited, visibleObjects, type ObjectFilter, type RequestContext } from '../../kernel/actor.ts';
import { isUuid } from '../../kernel/ids.ts';
import { identifiersAt } from '../../kernel/identifiers-at.ts';
import { assertAccessible, visibleOf, type VisibleObjects } from '../../kernel/visible-objects.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Route } from '../../platform/http/routes.ts';
import { keys, findContained } from './store.ts';

export interface KeyFilter extends Omit<VisibleObjects, 'containers'> {
  /** Tokens whose keys are shown. Keys without a token are shown if the filter is "all except some". */
  readonly tokens: ObjectFilter;
}

export function visibleKeys(context: RequestContext): KeyFilter {
  const { containers, ...others } = visibleOf(context, { resource: 'keys', within: 'tokens', action: 'list' });
  return { ...others, tokens: containers };
}

/**
 * Returns the operation with a check that rejects keys and items that the caller cannot access, regardless of the path
 * that identifies them.
 */
export function withAccessCheck(route: Route, executor: Executor): Route {
  const { access } = route.operation;
  if (typeof access !== 'object' || access.resource !== 'keys') return route;
  const { action, object } = access;
  const inBody = ownObjectsInBody(route.operation);
  if (object === undefined && inBody === undefined) return route;
  return {
    ...route,
    handle: async (call) => {
      const { actor } = call.context;
      const named = object === undefined ? identifiersAt(call.body, inBody ?? '$') : [String(call.params?.[object])];
      const uuids = named.filter(isUuid);
      if (uuids.length > 0 && !isUnlimited(visibleObjects(actor.permissions, 'tokens', 'members')))
        assertAccessible(await findContained(executor, uuids), { actor, action, within: 'tokens', what: keys.what });
      return route.handle(call);
    },
  };
}
