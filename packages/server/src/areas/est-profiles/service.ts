// EST profile use cases: EST settings, in addition to the code shared by all protocol profiles.
import type {
  EstProfileDto,
  EstProfileEditRequestDto,
  EstProfileListDto,
  EstProfileRequestDto,
} from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { ProtocolCertificates } from '../issuing/index.ts';
import {
  acceptIssuing,
  changeProfile,
  findProfiles,
  insertProfile,
  problemsOfName,
  profileHolder,
  type RemovalParts,
} from '../protocol-profiles/index.ts';
import { openPasswords, passwordsOf, problemsOfUsers, sealPasswords, type Passwords } from './passwords.ts';
import { presentListedProfile, presentProfile } from './present.ts';
import { estSettings, problemsOfSettings } from './settings.ts';
import type { EstProfileRow } from './tables.ts';

export interface EstProfileParts extends RemovalParts<EstProfileRow> {
  readonly certificates: Pick<ProtocolCertificates, 'findByUuids'>;
  /** Scheme and authority of URLs in responses, without a trailing slash. */
  readonly urlBase: () => string;
}

/**
 * Returns the profiles whose RA profile the caller can list; profiles without one are only for callers who can list
 * all.
 */
export async function listProfiles(parts: EstProfileParts, { actor }: RequestContext): Promise<EstProfileListDto[]> {
  const shown = visibleObjects(actor.permissions, 'raProfiles', 'list');
  const urlBase = parts.urlBase();
  return (await findProfiles(parts))
    .filter(({ row }) => isVisible(shown, row.ra_profile_uuid ?? ''))
    .map(({ row, raProfile }) => presentListedProfile(row, { raProfile, urlBase }));
}

export async function profileDetail(
  parts: EstProfileParts,
  uuid: string,
  context: RequestContext,
): Promise<EstProfileDto> {
  const { protocol, platform, profiles, raProfiles, associations, certificateAttributes, urlBase } = parts;
  const row = await profiles.require(platform.database.executor, uuid);
  const { issueCertificateAttributes } = await certificateAttributes.read(profileHolder(protocol, row));
  return presentProfile(row, {
    raProfile: row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid),
    urlBase: urlBase(),
    association: await associations.read(row),
    values: await parts.values.read(uuid, context),
    issueCertificateAttributes,
  });
}

/** Creates a disabled profile. */
export async function createProfile(
  parts: EstProfileParts,
  request: EstProfileRequestDto,
  context: RequestContext,
): Promise<string> {
  assertNoProblems([
    ...problemsOfName(parts.protocol, request.name),
    ...(await problemsOf(parts, request, { known: new Map() })),
  ]);
  const custom = await parts.values.accept(request, context);
  const associated = await parts.associations.accept(request.certificateAssociations, { context });
  const [uuid, now] = [newUuid(), parts.platform.clock.now()];
  const issuing = await acceptIssuing(parts, { uuid, request: toIssuing(request) }, context);
  const row = {
    uuid,
    name: request.name,
    enabled: false,
    ...estSettings.columns(request, estSettings.initial),
    usernames: usernamesOf(request),
    sealed_passwords: sealPasswords(parts.platform.sealer, uuid, passwordsOf(request.users, new Map())),
    ...issuing.columns,
    ...associated,
    created_at: now,
    updated_at: now,
  };
  await rejectSecondDefault(insertProfile(parts, { row, issuing, custom }, context));
  return uuid;
}

export async function editProfile(
  parts: EstProfileParts,
  { uuid, request }: { readonly uuid: string; readonly request: EstProfileEditRequestDto },
  context: RequestContext,
): Promise<EstProfileDto> {
  const { sealer, database } = parts.platform;
  const kept = await parts.profiles.require(database.executor, uuid);
  const known = openPasswords(sealer, kept);
  assertNoProblems(await problemsOf(parts, request, { uuid, known }));
  const custom = await parts.values.accept(request, context, uuid);
  const associated = await parts.associations.accept(request.certificateAssociations, { context, kept });
  const issuing = await acceptIssuing(parts, { uuid, request: toIssuing(request) }, context);
  const changes = {
    ...estSettings.columns(request, kept),
    usernames: usernamesOf(request),
    sealed_passwords: sealPasswords(sealer, uuid, passwordsOf(request.users, known)),
    ...associated,
  };
  await rejectSecondDefault(changeProfile(parts, { uuid, changes, issuing, custom }, context));
  return profileDetail(parts, uuid, context);
}

const usernamesOf = ({ users }: EstProfileEditRequestDto): string[] => users.map(({ username }) => username);

/** EST does not support revocation. */
const toIssuing = ({ raProfileUuid, issueCertificateAttributes }: EstProfileEditRequestDto) => ({
  raProfileUuid,
  issueCertificateAttributes,
  revokeCertificateAttributes: [],
});

async function problemsOf(
  { profiles, platform, certificates }: EstProfileParts,
  request: EstProfileEditRequestDto,
  { uuid, known }: { readonly uuid?: string; readonly known: Passwords },
): Promise<string[]> {
  const problems = [...problemsOfSettings(request), ...problemsOfUsers(request.users, known)];
  if (request.isDefault) {
    const other = (await profiles.findAll(platform.database.executor)).find(
      (row) => row.is_default && row.uuid !== uuid,
    );
    if (other)
      problems.push(
        `isDefault: the EST profile ${other.name} is already the default; remove the default from that profile first`,
      );
  }
  const trusted = request.trustedCertificateUuids;
  const there = trusted.length === 0 ? [] : await certificates.findByUuids(trusted);
  const missing = trusted.find((each) => !there.some((row) => row.uuid === each.toLowerCase()));
  if (missing !== undefined) throw notFound('Certificate', missing);
  return problems;
}

/** If two profiles become the default simultaneously, neither check has found the other. */
async function rejectSecondDefault(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isUniqueViolation(error, 'est_profile_default')) throw error;
    throw rejected(
      'isDefault: a different EST profile has just become the default; remove the default from that profile first',
    );
  }
}

function assertNoProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw rejected(...problems);
}
