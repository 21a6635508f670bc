// CMP profile use cases: CMP settings, in addition to the part common to all protocol profiles.
import {
  isShortSecret,
  type CmpProfileDetailDto,
  type CmpProfileDto,
  type CmpProfileEditRequestDto,
  type CmpProfileRequestDto,
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
import { presentListedProfile, presentProfile } from './present.ts';
import { cmpSettings, initialSettings, problemsOfSettings, type RetainedSettings, type Settings } from './settings.ts';
import { openSharedSecret, sealSharedSecret } from './shared-secret.ts';
import { CMP_SIGNING } from './signing.ts';
import type { CmpProfileRow } from './tables.ts';

export interface CmpProfileParts extends RemovalParts<CmpProfileRow> {
  readonly signingCertificates: Pick<SigningCertificates, 'list' | 'problemOf' | 'present'>;
  /** Scheme and authority of URLs in responses, without a trailing slash. */
  readonly directoryBase: () => string;
}

export async function listProfiles(parts: CmpProfileParts): Promise<CmpProfileDto[]> {
  const directoryBase = parts.directoryBase();
  return (await findProfiles(parts)).map(({ row, raProfile }) =>
    presentListedProfile(row, { raProfile, directoryBase, weakSecret: hasWeakSecret(parts, row) }),
  );
}

export async function profileDetail(
  parts: CmpProfileParts,
  uuid: string,
  context: RequestContext,
): Promise<CmpProfileDetailDto> {
  const { protocol, platform, profiles, raProfiles, associations, certificateAttributes, directoryBase } = parts;
  const row = await profiles.require(platform.database.executor, uuid);
  return presentProfile(row, {
    raProfile: row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid),
    directoryBase: directoryBase(),
    weakSecret: hasWeakSecret(parts, row),
    signingCertificate:
      row.signing_certificate_uuid === null
        ? undefined
        : await parts.signingCertificates.present(row.signing_certificate_uuid),
    association: await associations.read(row),
    values: await parts.values.read(uuid, context),
    ...(await certificateAttributes.read(profileHolder(protocol, row))),
  });
}

/** Creates a profile, initially disabled. */
export async function createProfile(
  parts: CmpProfileParts,
  request: CmpProfileRequestDto,
  context: RequestContext,
): Promise<CmpProfileDetailDto> {
  await accept(parts, { settings: request, kept: initialSettings }, problemsOfName(parts.protocol, request.name));
  const custom = await parts.values.accept(request, context);
  const associated = await parts.associations.accept(request.certificateAssociations, { context });
  const [uuid, now] = [newUuid(), parts.platform.clock.now()];
  const issuing = await acceptIssuing(parts, { uuid, request }, context);
  const row = {
    uuid,
    name: request.name,
    enabled: false,
    sealed_shared_secret: sealedSecret(parts, { uuid, settings: request }) ?? null,
    ...cmpSettings.columns(request, initialSettings),
    ...issuing.columns,
    ...associated,
    created_at: now,
    updated_at: now,
  };
  await insertProfile(parts, { row, issuing, custom }, context);
  return profileDetail(parts, uuid, context);
}

export async function editProfile(
  parts: CmpProfileParts,
  { uuid, request }: { readonly uuid: string; readonly request: CmpProfileEditRequestDto },
  context: RequestContext,
): Promise<CmpProfileDetailDto> {
  const kept = await parts.profiles.require(parts.platform.database.executor, uuid);
  await accept(parts, { settings: request, kept });
  const custom = await parts.values.accept(request, context, uuid);
  const associated = await parts.associations.accept(request.certificateAssociations, { context, kept });
  const issuing = await acceptIssuing(parts, { uuid, request }, context);
  const sealed = sealedSecret(parts, { uuid, settings: request });
  const changes = {
    ...cmpSettings.columns(request, kept),
    ...(sealed === undefined ? {} : { sealed_shared_secret: sealed }),
    ...associated,
  };
  await changeProfile(parts, { uuid, changes, issuing, custom }, context);
  return profileDetail(parts, uuid, context);
}

async function accept(
  { signingCertificates }: CmpProfileParts,
  { settings, kept }: { readonly settings: Settings; readonly kept: RetainedSettings },
  others: readonly string[] = [],
): Promise<void> {
  const problems = [...others, ...problemsOfSettings(settings, kept)];
  if (problems.length > 0) throw rejected(...problems);
  if (!settings.signingCertificateUuid) return;
  const problem = await signingCertificates.problemOf(settings.signingCertificateUuid, CMP_SIGNING);
  if (problem !== undefined) throw rejected(`signingCertificateUuid: ${problem}`);
}

const hasWeakSecret = ({ platform }: CmpProfileParts, row: CmpProfileRow): boolean => {
  const secret = openSharedSecret(platform.sealer, row);
  return secret !== undefined && isShortSecret(secret.reveal());
};

const sealedSecret = (
  { platform }: CmpProfileParts,
  { uuid, settings: { sharedSecret } }: { readonly uuid: string; readonly settings: Settings },
): string | undefined =>
  sharedSecret === undefined ? undefined : sealSharedSecret(platform.sealer, uuid, sharedSecret);
