// Use cases of SCEP profiles: SCEP settings, in addition to the parts common to all protocol profiles.
import {
  isShortSecret,
  type ScepProfileDetailDto,
  type ScepProfileDto,
  type ScepProfileEditRequestDto,
  type ScepProfileRequestDto,
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
  type RemovalParts,
} from '../protocol-profiles/index.ts';
import type { SigningCertificates } from '../signing-certificates/index.ts';
import { SCEP_CA } from './ca-certificate.ts';
import { presentListedProfile, presentProfile } from './present.ts';
import { openSecret, sealSecret } from './sealed-secrets.ts';
import { initialSettings, problemsOfSettings, scepSettings, type StoredSettings, type Settings } from './settings.ts';
import type { ScepProfileRow } from './tables.ts';

export interface ScepProfileParts extends RemovalParts<ScepProfileRow> {
  readonly signingCertificates: Pick<SigningCertificates, 'list' | 'problemOf' | 'present'>;
  /** Scheme and host of the URLs in responses, without a trailing slash. */
  readonly directoryBase: () => string;
}

export async function listProfiles(parts: ScepProfileParts): Promise<ScepProfileDto[]> {
  const directoryBase = parts.directoryBase();
  return (await findProfiles(parts)).map(({ row, raProfile }) =>
    presentListedProfile(row, { raProfile, directoryBase, weakSecret: hasWeakSecret(parts, row) }),
  );
}

export async function profileDetail(
  parts: ScepProfileParts,
  uuid: string,
  context: RequestContext,
): Promise<ScepProfileDetailDto> {
  const { protocol, platform, profiles, raProfiles, associations, certificateAttributes, directoryBase } = parts;
  const row = await profiles.require(platform.database.executor, uuid);
  return presentProfile(row, {
    raProfile: row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid),
    directoryBase: directoryBase(),
    weakSecret: hasWeakSecret(parts, row),
    caCertificate: await parts.signingCertificates.present(row.ca_certificate_uuid),
    association: await associations.read(row),
    values: await parts.values.read(uuid, context),
    ...(await certificateAttributes.read(profileHolder(protocol, row))),
  });
}

/** Creates a disabled profile. */
export async function createProfile(
  parts: ScepProfileParts,
  request: ScepProfileRequestDto,
  context: RequestContext,
): Promise<ScepProfileDetailDto> {
  await accept(parts, { settings: request, kept: initialSettings }, problemsOfName(parts.protocol, request.name));
  const custom = await parts.values.accept(request, context);
  const associated = await parts.associations.accept(request.certificateAssociations, { context });
  const [uuid, now] = [newUuid(), parts.platform.clock.now()];
  const issuing = await acceptIssuing(parts, { uuid, request }, context);
  const row = {
    uuid,
    name: request.name,
    enabled: false,
    sealed_challenge_password: null,
    sealed_intune_application_key: null,
    ...scepSettings.columns(request, initialSettings),
    ...sealedSecrets(parts, { uuid, settings: request }),
    ...issuing.columns,
    ...associated,
    created_at: now,
    updated_at: now,
  };
  await insertProfile(parts, { row, issuing, custom }, context);
  return profileDetail(parts, uuid, context);
}

export async function editProfile(
  parts: ScepProfileParts,
  { uuid, request }: { readonly uuid: string; readonly request: ScepProfileEditRequestDto },
  context: RequestContext,
): Promise<ScepProfileDetailDto> {
  const kept = await parts.profiles.require(parts.platform.database.executor, uuid);
  await accept(parts, { settings: request, kept });
  const custom = await parts.values.accept(request, context, uuid);
  const associated = await parts.associations.accept(request.certificateAssociations, { context, kept });
  const issuing = await acceptIssuing(parts, { uuid, request }, context);
  const changes = {
    ...scepSettings.columns(request, kept),
    ...sealedSecrets(parts, { uuid, settings: request }),
    ...associated,
  };
  await changeProfile(parts, { uuid, changes, issuing, custom }, context);
  return profileDetail(parts, uuid, context);
}

async function accept(
  { signingCertificates }: ScepProfileParts,
  { settings, kept }: { readonly settings: Settings; readonly kept: StoredSettings },
  others: readonly string[] = [],
): Promise<void> {
  const problems = [...others, ...problemsOfSettings(settings, kept)];
  if (problems.length > 0) throw rejected(...problems);
  const problem = await signingCertificates.problemOf(settings.caCertificateUuid, SCEP_CA);
  if (problem !== undefined) throw rejected(`caCertificateUuid: ${problem}`);
}

const hasWeakSecret = ({ platform }: ScepProfileParts, row: ScepProfileRow): boolean => {
  const secret = openSecret(platform.sealer, row, 'sealed_challenge_password');
  return secret !== undefined && isShortSecret(secret.reveal());
};

/** Returns the columns for the secrets in a request. An empty secret removes the stored one. */
function sealedSecrets(
  { platform: { sealer } }: ScepProfileParts,
  { uuid, settings }: { readonly uuid: string; readonly settings: Settings },
): Partial<Pick<ScepProfileRow, 'sealed_challenge_password' | 'sealed_intune_application_key'>> {
  const given = {
    sealed_challenge_password: settings.challengePassword,
    sealed_intune_application_key: settings.intuneApplicationKey,
  } as const;
  return Object.fromEntries(
    (['sealed_challenge_password', 'sealed_intune_application_key'] as const).flatMap((column) => {
      const secret = given[column];
      if (secret === undefined) return [];
      return [[column, secret === '' ? null : sealSecret(sealer, { uuid, column }, secret)]];
    }),
  );
}
