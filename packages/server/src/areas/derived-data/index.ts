// Checks derived data, and repairs it on request. Each area updates its derived data with every change, so a check
// finds nothing unless rows were changed outside the platform or there is a bug. Owns: no table.
import {
  derivedDataOperations,
  type DerivedDataCheck,
  type DerivedDataReport,
  type WrongDerivedData,
} from '@signetry/contract';
import { isUnlimited, visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { runAsWork } from '../../platform/database/query-limits.ts';
import { routes } from '../../platform/http/routes.ts';
import type { Area, DerivedData, Platform, DerivedMismatch } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';

/** Maximum number of wrong values per kind in a report. */
const MAX_EXAMPLES = 20;

export interface DerivedDataParts {
  readonly audit: AuditTrail;
  /** From all areas; complete after they have been created. */
  readonly kinds: () => readonly DerivedData[];
}

export function createDerivedDataArea({ database, clock, log }: Platform, { audit, kinds }: DerivedDataParts): Area {
  async function check(repair: boolean, context: RequestContext): Promise<DerivedDataReport> {
    const checks: DerivedDataCheck[] = [];
    for (const kind of kinds()) {
      const wrong = await (repair ? kind.repair() : kind.findWrong());
      const examples = wrong.slice(0, MAX_EXAMPLES);
      if (wrong.length > 0)
        log.warn({ kind: kind.name, wrong: wrong.length, repair, examples }, 'found incorrect derived data');
      const shown = canViewAll(context) ? examples.map(present) : [];
      checks.push({ name: kind.name, wrong: wrong.length, repaired: repair && wrong.length > 0, examples: shown });
    }
    const wrong = Object.fromEntries(checks.map((each) => [each.name, each.wrong]));
    await audit.append(database.executor, context, { data: { repair, wrong } });
    return { checkedAt: clock.now().toISOString(), sound: checks.every((each) => each.wrong === 0), checks };
  }

  return {
    routes: routes(derivedDataOperations, {
      checkDerivedData: ({ body, context }) => runAsWork('long', () => check(body.repair, context)),
    }),
  };
}

const present = ({ what, kept, right }: DerivedMismatch): WrongDerivedData => ({
  what,
  kept: kept ?? undefined,
  right: right ?? undefined,
});

const canViewAll = ({ actor: { permissions } }: RequestContext): boolean =>
  isUnlimited(visibleObjects(permissions, 'certificates', 'list')) &&
  isUnlimited(visibleObjects(permissions, 'raProfiles', 'members')) &&
  isUnlimited(visibleObjects(permissions, 'keys', 'list')) &&
  isUnlimited(visibleObjects(permissions, 'tokens', 'members'));
