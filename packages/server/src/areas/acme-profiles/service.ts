// ACME profile use cases: ACME settings, in addition to the part common to all protocol profiles.
import type {
  AcmeProfileDto,
  AcmeProfileEditRequestDto,
  AcmeProfileListDto,
  AcmeProfileRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import {
  acceptIssuing,
  changeProfile,
  findProfiles,
  insertProfile,
  problemsOfName,
  profileHolder,
  type IssuingSettings,
  type RemovalParts,
} from '../protocol-profiles/index.ts';
import { problemsOfChallenges } from './additional-challenges.ts';
import { assertOffersUsable, presentOffers } from './offered-profiles.ts';
import { presentListedProfile, presentProfile } from './present.ts';
import { acmeSettings, columnsOf, defaultSettings, problemsOfSettings, type Settings } from './settings.ts';
import type { AcmeProfileRow } from './tables.ts';

export interface AcmeProfileParts extends RemovalParts<AcmeProfileRow> {
  /** Scheme and authority of directory URLs in responses, without a trailing slash. */
  readonly directoryBase: () => string;
}

export async function listProfiles(parts: AcmeProfileParts): Promise<AcmeProfileListDto[]> {
  const directoryBase = parts.directoryBase();
  return (await findProfiles(parts)).map(({ row, raProfile }) =>
    presentListedProfile(row, { raProfile, directoryBase }),
  );
}

export async function profileDetail(
  parts: AcmeProfileParts,
  uuid: string,
  context: RequestContext,
): Promise<AcmeProfileDto> {
  const { protocol, platform, profiles, raProfiles, associations, certificateAttributes, directoryBase } = parts;
  const row = await profiles.require(platform.database.executor, uuid);
  return presentProfile(row, {
    raProfile: row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid),
    directoryBase: directoryBase(),
    association: await associations.read(row),
    values: await parts.values.read(uuid, context),
    offeredProfiles: await presentOffers(raProfiles, row.offered_profiles),
    ...(await certificateAttributes.read(profileHolder(protocol, row))),
  });
}

/** Creates a profile. It is initially disabled unless the platform itself creates it. */
export async function createProfile(
  parts: AcmeProfileParts,
  { request, enabled = false }: { readonly request: AcmeProfileRequestDto; readonly enabled?: boolean },
  context: RequestContext,
): Promise<string> {
  assertNoProblems([
    ...problemsOfName(parts.protocol, request.name),
    ...problemsOfSettings(request),
    ...problemsOfChallenges(request, { kept: acmeSettings.initial, directoryBase: parts.directoryBase() }),
  ]);
  const custom = await parts.values.accept(request, context);
  const associated = await parts.associations.accept(request.certificateAssociations, { context });
  const [uuid, now] = [newUuid(), parts.platform.clock.now()];
  const issuing = await acceptIssuing(parts, { uuid, request }, context);
  await acceptOffers(parts, { request, issuing }, context);
  const row = {
    uuid,
    name: request.name,
    enabled,
    ...columnsOf(request, acmeSettings.initial),
    ...issuing.columns,
    ...associated,
    created_at: now,
    updated_at: now,
  };
  await insertProfile(parts, { row, issuing, custom }, context);
  return uuid;
}

export async function editProfile(
  parts: AcmeProfileParts,
  { uuid, request }: { readonly uuid: string; readonly request: AcmeProfileEditRequestDto },
  context: RequestContext,
): Promise<AcmeProfileDto> {
  assertNoProblems(problemsOfSettings(request));
  const kept = await parts.profiles.require(parts.platform.database.executor, uuid);
  assertNoProblems(problemsOfChallenges(request, { kept, directoryBase: parts.directoryBase() }));
  const custom = await parts.values.accept(request, context, uuid);
  const associated = await parts.associations.accept(request.certificateAssociations, { context, kept });
  const issuing = await acceptIssuing(parts, { uuid, request }, context);
  await acceptOffers(parts, { request, issuing }, context);
  const changes = { ...columnsOf(request, kept), ...associated };
  await changeProfile(parts, { uuid, changes, issuing, custom }, context);
  return profileDetail(parts, uuid, context);
}

/**
 * Returns the profile with this name. If there is none, it is created and enabled. If nodes start simultaneously, the
 * first one creates it.
 */
export async function ensureProfile(
  parts: AcmeProfileParts,
  { name, raProfileUuid }: { readonly name: string; readonly raProfileUuid: string },
  context: RequestContext,
): Promise<string> {
  const find = () => parts.profiles.findByName(parts.platform.database.executor, name);
  const known = await find();
  if (known) return known.uuid;
  const request = { ...defaultSettings, name, description: 'Certificates for ACME clients', raProfileUuid };
  try {
    return await createProfile(parts, { request, enabled: true }, context);
  } catch (error) {
    const made = await find();
    if (made) return made.uuid;
    throw error;
  }
}

const acceptOffers = (
  { raProfiles }: AcmeProfileParts,
  { request, issuing }: { readonly request: Settings; readonly issuing: IssuingSettings },
  { signal }: RequestContext,
): Promise<void> =>
  assertOffersUsable(raProfiles, request.offeredProfiles, { own: issuing.columns.ra_profile_uuid, signal });

function assertNoProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw rejected(...problems);
}
