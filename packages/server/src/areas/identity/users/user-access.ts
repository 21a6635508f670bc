// Roles and authentication methods of the users whose details the caller can see.
import type { UserAccess } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { isAccessibleBy } from '../../../kernel/belonging.ts';
import type { Platform } from '../../../platform/platform.ts';
import * as store from './store.ts';
import { accessOfAll } from './store-access.ts';

export async function listUserAccess(
  { database: { executor }, clock }: Platform,
  { actor }: RequestContext,
): Promise<UserAccess[]> {
  const all = await accessOfAll(executor, clock.now());
  const shown = all.map(({ roles, ...access }) => ({ ...access, roles: [...roles] }));
  if (isAllowed(actor.permissions, 'users', 'detail')) return shown;
  const uuids = shown.map(({ uuid }) => uuid);
  const belongings = await store.findBelongings(executor, uuids);
  const reached = new Set(belongings.filter((each) => isAccessibleBy(actor, 'detail', each)).map(({ uuid }) => uuid));
  return shown.filter(({ uuid }) => reached.has(uuid));
}
