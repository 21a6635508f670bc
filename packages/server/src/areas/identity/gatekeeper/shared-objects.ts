// Access decision with a fallback for callers without permission on an object: they may own the object or belong to one
// of its groups. This is looked up only if permissions are not sufficient, so it otherwise costs nothing.
import type { Actor } from '../../../kernel/actor.ts';
import { isAccessibleBy } from '../../../kernel/belonging.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Belongings, Platform } from '../../../platform/platform.ts';
import { evaluateAccess, type AccessCheck, type Requirement, type AccessDecision } from '../permissions/authorize.ts';

export type AccessEvaluator = ReturnType<typeof createAccessEvaluator>;

/** `belongings` is complete only after all areas have been created. */
export function createAccessEvaluator({ database }: Pick<Platform, 'database'>, belongings: () => Belongings) {
  /** Returns whether the actor can access all of the requirement's objects without the permission. */
  async function isShared(actor: Actor, { resource, action, objects }: Requirement): Promise<boolean> {
    const find = belongings()[resource];
    if (!find || actor.userUuid === null || objects.length === 0 || !objects.every(isUuid)) return false;
    const wanted = new Set(objects.map((uuid) => uuid.toLowerCase()));
    const found = await find(database.executor, [...wanted]);
    return found.length === wanted.size && found.every((belonging) => isAccessibleBy(actor, action, belonging));
  }

  return async function decide(actor: Actor, question: AccessCheck): Promise<AccessDecision> {
    const verdict = evaluateAccess(actor, question);
    if (verdict.kind !== 'denied' || verdict.missing.length === 0) return verdict;
    for (const requirement of verdict.missing)
      if (!(await isShared(actor, requirement))) return { kind: 'denied', missing: [requirement] };
    return { kind: 'allowed' };
  };
}
