// Removes either all of the RA profiles or none. Areas that require a profile can prevent its removal; all others drop
// their references in the same transaction.
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfileDependants } from './dependants.ts';
import { assertOffered } from './ra-profile-facts.ts';
import type { IssuingProfiles } from './issuing-profiles.ts';
import { findByAuthority, raProfiles } from './store.ts';
import type { RaProfileRow } from './tables.ts';

export interface RemovalParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly profiles: IssuingProfiles;
  readonly dependants: readonly RaProfileDependants[];
}

type ForgetParts = Pick<RemovalParts, 'attributes' | 'dependants'>;

/** Skips unknown profiles, and returns the number of profiles removed. */
export async function removeRaProfiles(
  parts: RemovalParts,
  uuids: readonly string[],
  context: RequestContext,
): Promise<number> {
  const { platform, audit, profiles, dependants } = parts;
  const removed = await platform.database.transaction(async (tx) => {
    const rows = await raProfiles.lockMany(tx, uuids);
    rows.forEach(assertOffered);
    const reasons = await reasonsToKeep(tx, rows, dependants);
    if (reasons.length > 0) throw rejected(...reasons);
    const present = rows.map(({ uuid }) => uuid);
    if (present.length === 0) return present;
    await forget(tx, parts, { uuids: present, context });
    await audit.append(tx, context, { objects: rows });
    return present;
  });
  profiles.invalidate(removed);
  return removed.length;
}

/** Internal profiles serve only their authority and are removed along with it, in the same transaction. */
export async function removeInternalProfiles(
  tx: Executor,
  parts: ForgetParts,
  removed: { readonly authorityUuid: string; readonly context: RequestContext },
): Promise<void> {
  const internal = (await findByAuthority(tx, removed.authorityUuid)).filter((row) => row.internal);
  const uuids = internal.map(({ uuid }) => uuid);
  if (uuids.length > 0) await forget(tx, parts, { uuids, context: removed.context });
}

async function forget(
  tx: Executor,
  { attributes, dependants }: ForgetParts,
  { uuids, context }: { readonly uuids: readonly string[]; readonly context: RequestContext },
): Promise<void> {
  for (const dependant of dependants) await dependant.onRaProfilesRemoved?.(tx, uuids, context);
  await attributes.removeObjects(tx, 'raProfiles', uuids);
  await raProfiles.removeMany(tx, uuids);
}

async function reasonsToKeep(
  tx: Executor,
  rows: readonly RaProfileRow[],
  dependants: readonly RaProfileDependants[],
): Promise<string[]> {
  const reasons: string[] = [];
  for (const { uuid, name } of rows)
    for (const dependant of dependants)
      for (const reason of (await dependant.reasonsToKeep?.(tx, uuid)) ?? [])
        reasons.push(`RA profile ${name}: ${reason}`);
  return reasons;
}
