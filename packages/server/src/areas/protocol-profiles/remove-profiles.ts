// Removes profiles and everything that depends on them. A profile that is activated on RA profiles can be removed only
// by force, which also removes the activations. Certificates are never removed.
import type { BulkActionMessageDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { activationHolder, noAttributes } from './certificate-attributes.ts';
import type { ChangeParts } from './profile-parts.ts';
import { profileOf, type ActivationRow, type ProtocolProfileRow } from './protocol.ts';

/**
 * Areas with objects that depend on profiles and are removed along with them. Protocol servers are in a higher tier and
 * register here.
 */
export interface ProfileDependants {
  /**
   * Removes references to the profiles, in the transaction that removes the profiles and before their rows are deleted.
   */
  onProfilesRemoved(tx: Executor, profileUuids: readonly string[]): Promise<void>;
}

export interface RemovalParts<Row extends ProtocolProfileRow = ProtocolProfileRow> extends ChangeParts<Row> {
  readonly dependants: readonly ProfileDependants[];
}

interface Removal {
  readonly uuids: readonly string[];
  /** Also removes the profiles' activations on RA profiles. */
  readonly force: boolean;
}

/** Profile that was not removed, with the activations that prevent its removal. */
interface RetainedProfile {
  readonly row: ProtocolProfileRow;
  readonly activations: readonly ActivationRow[];
}

/** Rejects (422) a profile that is activated. */
export async function removeProfile(parts: RemovalParts, uuid: string, context: RequestContext): Promise<void> {
  const { removed, kept } = await removeUnlessActivated(parts, { uuids: [uuid], force: false }, context);
  const [reason] = await describe(parts, kept);
  if (reason) throw rejected(reason.message);
  if (removed.length === 0) throw notFound(profileOf(parts.protocol), uuid);
}

/** Returns the profiles that were not removed, with the reason for each. Skips unknown profiles. */
export async function removeProfiles(
  parts: RemovalParts,
  removal: Removal,
  context: RequestContext,
): Promise<BulkActionMessageDto[]> {
  return describe(parts, (await removeUnlessActivated(parts, removal, context)).kept);
}

async function removeUnlessActivated(
  parts: RemovalParts,
  { uuids, force }: Removal,
  context: RequestContext,
): Promise<{ removed: readonly ProtocolProfileRow[]; kept: readonly RetainedProfile[] }> {
  const { platform, profiles, activations, onChange } = parts;
  const result = await platform.database.transaction(async (tx) => {
    const rows = await profiles.lockMany(tx, uuids);
    const found = await activations.findOfProfiles(
      tx,
      rows.map(({ uuid }) => uuid),
    );
    const kept = force ? [] : retainedBy(rows, found);
    const removed = rows.filter((row) => !kept.some((stays) => stays.row === row));
    if (force) await detach(parts, tx, found);
    if (removed.length > 0) await removeRows(parts, { tx, rows: removed }, context);
    return { removed, kept };
  });
  onChange();
  return result;
}

const retainedBy = (rows: readonly ProtocolProfileRow[], activations: readonly ActivationRow[]): RetainedProfile[] =>
  rows.flatMap((row) => {
    const own = activations.filter(({ profile_uuid }) => profile_uuid === row.uuid);
    return own.length === 0 ? [] : [{ row, activations: own }];
  });

async function detach(
  { protocol, certificateAttributes }: RemovalParts,
  tx: Executor,
  rows: readonly ActivationRow[],
): Promise<void> {
  for (const row of rows) await certificateAttributes.replace(tx, activationHolder(protocol, row), noAttributes);
}

async function removeRows(
  { protocol, profiles, attributes, dependants, audit }: RemovalParts,
  { tx, rows }: { readonly tx: Executor; readonly rows: readonly ProtocolProfileRow[] },
  context: RequestContext,
): Promise<void> {
  const uuids = rows.map(({ uuid }) => uuid);
  for (const dependant of dependants) await dependant.onProfilesRemoved(tx, uuids);
  await attributes.removeObjects(tx, protocol.resource, uuids);
  await profiles.removeMany(tx, uuids);
  await audit.append(tx, context, { objects: rows.map(({ uuid, name }) => ({ uuid, name })) });
}

async function describe(
  { raProfiles }: RemovalParts,
  kept: readonly RetainedProfile[],
): Promise<BulkActionMessageDto[]> {
  const used = kept.flatMap((stays) => stays.activations.map(({ ra_profile_uuid: uuid }) => uuid));
  const names = new Map((await raProfiles.findMany(used)).map(({ uuid, name }) => [uuid, name]));
  return kept.map(({ row, activations: own }) => {
    const dependants = own.map(({ ra_profile_uuid: uuid }) => names.get(uuid) ?? uuid).toSorted();
    const message = `Dependent RA Profiles (${dependants.length}): ${dependants.join(', ')}`;
    return { uuid: row.uuid, name: row.name, message };
  });
}
