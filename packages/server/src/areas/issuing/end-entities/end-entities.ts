// End entities, which their authority stores. The platform forwards calls under the RA profile in the path and records
// each change.
import {
  legacyAuthorityProviderOperations as connectorOperations,
  type ClientAddEndEntityRequestDto,
  type ClientEditEndEntityRequestDto,
  type ClientEndEntityDto,
  type RaProfileDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { approvalNeeded } from '../approving/approval-needed.ts';
import type { NameSource } from '../../certificates/index.ts';
import { endEntityParams } from '../operations/legacy-calls.ts';
import type { CertificateRevoker } from '../revoking/revoke.ts';
import { toConnectorName } from './connector-name.ts';
import { findIssuedTo } from './store.ts';

export interface EndEntityParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly connectors: Connectors;
  readonly revoker: Pick<CertificateRevoker, 'revokeLegacy'>;
  readonly names: NameSource;
}

export interface NamedEndEntity {
  readonly profile: IssuingProfile;
  readonly username: string;
}

export const createEndEntities = (parts: EndEntityParts) => ({
  list: (profile: IssuingProfile, context: RequestContext) => list(parts, profile, context),
  get: (named: NamedEndEntity, context: RequestContext) => get(parts, named, context),
  add: (profile: IssuingProfile, given: ClientAddEndEntityRequestDto, context: RequestContext) =>
    add(parts, { profile, given }, context),
  edit: (named: NamedEndEntity, given: ClientEditEndEntityRequestDto, context: RequestContext) =>
    edit(parts, { ...named, given }, context),
  remove: (named: NamedEndEntity, context: RequestContext) => remove(parts, named, context),
  resetPassword: (named: NamedEndEntity, context: RequestContext) => resetPassword(parts, named, context),
});

async function list(
  { connectors }: EndEntityParts,
  profile: IssuingProfile,
  { signal }: RequestContext,
): Promise<ClientEndEntityDto[]> {
  const client = await connectors.client(profile.connectorUuid);
  return client.call(connectorOperations.listEndEntities, { params: endEntityParams(profile) }, { signal });
}

async function get(
  { connectors }: EndEntityParts,
  { profile, username }: NamedEndEntity,
  { signal }: RequestContext,
): Promise<ClientEndEntityDto> {
  const client = await connectors.client(profile.connectorUuid);
  const params = { ...endEntityParams(profile), endEntityName: username };
  return client.call(connectorOperations.getEndEntity, { params }, { signal });
}

async function add(
  parts: EndEntityParts,
  { profile, given }: { readonly profile: IssuingProfile; readonly given: ClientAddEndEntityRequestDto },
  context: RequestContext,
): Promise<void> {
  rejectOtherProfile(profile, given.raProfile);
  const client = await parts.connectors.client(profile.connectorUuid);
  await client.call(
    connectorOperations.createEndEntity,
    { params: endEntityParams(profile), body: await toConnectorBody(parts, profile, given) },
    { idempotencyKey: newUuid() },
  );
  await record(parts, { profile, username: given.username }, context);
}

async function edit(
  parts: EndEntityParts,
  { profile, username, given }: NamedEndEntity & { readonly given: ClientEditEndEntityRequestDto },
  context: RequestContext,
): Promise<void> {
  rejectOtherProfile(profile, given.raProfile);
  const client = await parts.connectors.client(profile.connectorUuid);
  const params = { ...endEntityParams(profile), endEntityName: username };
  const body = await toConnectorBody(parts, profile, given);
  await client.call(connectorOperations.updateEndEntity, { params, body });
  await record(parts, { profile, username }, context, { status: given.status });
}

/**
 * Removes an end entity. Its certificates in the inventory are revoked first, each with its own record. The authority
 * revokes the others when it removes the end entity.
 */
async function remove(
  parts: EndEntityParts,
  { profile, username }: NamedEndEntity,
  context: RequestContext,
): Promise<void> {
  const client = await parts.connectors.client(profile.connectorUuid);
  const params = { ...endEntityParams(profile), endEntityName: username };
  // Return 404 before anything is revoked.
  await client.call(connectorOperations.getEndEntity, { params }, { signal: context.signal });
  const issued = await findIssuedTo(parts.platform.database.executor, { raProfileUuid: profile.uuid, username });
  if (issued.length > 0 && approvalNeeded(profile, context) !== undefined)
    throw rejected(
      `Cannot remove end entity ${username}: revoking its ${issued.length} issued ${issued.length === 1 ? 'certificate' : 'certificates'} requires approval under RA profile ${profile.name}; revoke them first`,
    );
  for (const { uuid: certificateUuid } of issued)
    await parts.revoker.revokeLegacy({ profile, certificateUuid, reason: 'cessationOfOperation' }, context);
  await client.call(connectorOperations.removeEndEntity, { params });
  await record(parts, { profile, username }, context, { revoked: issued.length });
}

async function resetPassword(
  parts: EndEntityParts,
  { profile, username }: NamedEndEntity,
  context: RequestContext,
): Promise<void> {
  const client = await parts.connectors.client(profile.connectorUuid);
  const params = { ...endEntityParams(profile), endEntityName: username };
  await client.call(connectorOperations.resetPassword, { params }, { idempotencyKey: newUuid() });
  await record(parts, { profile, username }, context, { password: 'reset' });
}

/** Returns the end entity as sent to the authority. */
async function toConnectorBody<Given extends { readonly subjectDN?: string | undefined }>(
  { names }: EndEntityParts,
  profile: IssuingProfile,
  given: Given,
) {
  const { codes } = await names();
  const { subjectDN } = given;
  return {
    ...given,
    ...(subjectDN === undefined ? {} : { subjectDN: toConnectorName(subjectDN, codes) }),
    raProfile: toConnectorProfile(profile),
  };
}

/** Returns the RA profile as sent to the authority, with its attributes in the form used in every connector call. */
const toConnectorProfile = (profile: IssuingProfile): RaProfileDto => ({
  uuid: profile.uuid,
  name: profile.name,
  enabled: profile.enabled,
  authorityInstanceUuid: profile.authorityUuid,
  authorityInstanceName: profile.authorityName,
  legacyAuthority: true,
  attributes: profile.raProfileAttributes.map((attribute) => ({ ...attribute, label: attribute.name, type: 'data' })),
});

function rejectOtherProfile(profile: IssuingProfile, given: RaProfileDto | undefined): void {
  if (given && given.uuid.toLowerCase() !== profile.uuid)
    throw rejected(`raProfile: must be the RA profile in the path, ${profile.name}`);
}

const record = (
  { platform, audit }: EndEntityParts,
  { profile, username }: NamedEndEntity,
  context: RequestContext,
  data?: object,
): Promise<void> =>
  platform.database.transaction((tx) =>
    audit.append(tx, context, {
      objects: [{ name: username }],
      affiliated: { resource: 'raProfiles', objects: [{ uuid: profile.uuid, name: profile.name }] },
      ...(data ? { data } : {}),
    }),
  );
