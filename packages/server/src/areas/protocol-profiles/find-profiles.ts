// Finds profiles for display, with the RA profiles under which they issue.
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { RaProfileFacts } from '../ra-profiles/index.ts';
import type { ProfileParts } from './profile-parts.ts';
import type { ProtocolProfileRow } from './protocol.ts';

export interface FoundProfile<Row extends ProtocolProfileRow> {
  readonly row: Row;
  /** Undefined if the profile has no RA profile. In this case, nothing is served under the profile's own name. */
  readonly raProfile: RaProfileFacts | undefined;
}

/** Returns all profiles, sorted by name. */
export async function findProfiles<Row extends ProtocolProfileRow>({
  platform,
  profiles,
  raProfiles,
}: ProfileParts<Row>): Promise<FoundProfile<Row>[]> {
  const rows = await profiles.findAll(platform.database.executor);
  const used = rows.flatMap(({ ra_profile_uuid: uuid }) => (uuid === null ? [] : [uuid]));
  const known = new Map((await raProfiles.findMany(used)).map((facts) => [facts.uuid, facts]));
  return rows.map((row) => ({ row, raProfile: known.get(row.ra_profile_uuid ?? '') }));
}

/** Returns the names of the profiles that the caller can list, sorted by name. */
export async function listNames(
  { protocol, profiles }: Pick<ProfileParts, 'protocol' | 'profiles'>,
  executor: Executor,
  { actor }: RequestContext,
): Promise<string[]> {
  const shown = visibleObjects(actor.permissions, protocol.resource, 'list');
  return (await profiles.findShown(executor, shown)).map(({ name }) => name);
}
