// Enables and disables profiles.
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ChangeParts } from './profile-parts.ts';
import type { ProtocolProfileRow } from './protocol.ts';

/** Rejects a profile that is already in that state. */
export async function setEnabled(
  parts: ChangeParts,
  { uuid, enabled }: { readonly uuid: string; readonly enabled: boolean },
  context: RequestContext,
): Promise<void> {
  const { platform, profiles, onChange } = parts;
  await platform.database.transaction(async (tx) => {
    const [row] = await profiles.lockMany(tx, [uuid]);
    if (!row) throw notFound(profiles.what, uuid);
    if (row.enabled === enabled)
      throw new AppError('invalid_state', {
        what: profiles.what,
        name: row.name,
        state: enabled ? 'already enabled' : 'already disabled',
        needed: enabled ? 'a disabled profile' : 'an enabled profile',
      });
    await apply(parts, { tx, rows: [row], enabled }, context);
  });
  onChange();
}

/** Skips unknown profiles and profiles that are already in that state, so that a repeated call is harmless. */
export async function setEnabledMany(
  parts: ChangeParts,
  { uuids, enabled }: { readonly uuids: readonly string[]; readonly enabled: boolean },
  context: RequestContext,
): Promise<void> {
  const { platform, profiles, onChange } = parts;
  await platform.database.transaction(async (tx) => {
    const rows = (await profiles.lockMany(tx, uuids)).filter((row) => row.enabled !== enabled);
    if (rows.length > 0) await apply(parts, { tx, rows, enabled }, context);
  });
  onChange();
}

async function apply(
  { platform, profiles, audit }: ChangeParts,
  { tx, rows, enabled }: { tx: Executor; rows: readonly ProtocolProfileRow[]; enabled: boolean },
  context: RequestContext,
): Promise<void> {
  const uuids = rows.map(({ uuid }) => uuid);
  await profiles.updateMany(tx, uuids, { enabled, updated_at: platform.clock.now() });
  await audit.append(tx, context, { objects: rows.map(({ uuid, name }) => ({ uuid, name })) });
}
