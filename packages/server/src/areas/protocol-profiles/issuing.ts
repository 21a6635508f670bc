// RA profile for certificates issued under a profile's name, and the attributes that its authority accepts. The
// authority is called before a transaction begins, never inside one.
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { IssuingProfile } from '../ra-profiles/index.ts';
import {
  noAttributes,
  profileHolder,
  type AttributeRequest,
  type CertificateAttributeValues,
} from './certificate-attributes.ts';
import type { ProfileParts } from './profile-parts.ts';
import type { ProtocolProfileRow } from './protocol.ts';

/** Issuance settings of a profile. */
export interface IssuingSettings {
  readonly columns: Pick<ProtocolProfileRow, 'ra_profile_uuid' | 'connector_uuid'>;
  readonly values: CertificateAttributeValues;
  /** For the audit record. */
  readonly raProfile: Pick<IssuingProfile, 'uuid' | 'name'> | null;
}

export interface IssuingRequest extends AttributeRequest {
  /** There is no RA profile if this is empty or omitted. */
  readonly raProfileUuid?: string | undefined;
}

type IssuingParts = Pick<ProfileParts, 'protocol' | 'raProfiles' | 'certificateAttributes'>;

/** Validates the attributes at the authority of the requested RA profile. */
export async function acceptIssuing(
  parts: IssuingParts,
  { uuid, request }: { readonly uuid: string; readonly request: IssuingRequest },
  { signal, actor }: RequestContext,
): Promise<IssuingSettings> {
  const raProfileUuid = request.raProfileUuid?.toLowerCase() ?? '';
  if (raProfileUuid === '') {
    const { issueCertificateAttributes: issue = [], revokeCertificateAttributes: revoke = [] } = request;
    if (issue.length + revoke.length === 0) return withoutRaProfile;
    throw rejected('raProfileUuid: is required with attributes, because its authority defines and validates them');
  }
  if (!isUuid(raProfileUuid)) throw notFound('RA profile', raProfileUuid.slice(0, 100));
  const raProfile = await parts.raProfiles.forIssuingByUuid(raProfileUuid);
  const holder = profileHolder(parts.protocol, { uuid, connector_uuid: raProfile.connectorUuid });
  const values = await parts.certificateAttributes.acceptRequest(request, { holder, raProfile, signal, actor });
  return { columns: columnsOf(raProfile), values, raProfile };
}

/** Switches to a different RA profile. Keeps the profile's attributes if the new authority knows and accepts them. */
export async function switchIssuing(
  parts: IssuingParts,
  { uuid, raProfileUuid }: { readonly uuid: string; readonly raProfileUuid: string },
  { signal, actor }: RequestContext,
): Promise<IssuingSettings> {
  const raProfile = await parts.raProfiles.forIssuingByUuid(raProfileUuid);
  const holder = profileHolder(parts.protocol, { uuid, connector_uuid: raProfile.connectorUuid });
  const current = await parts.certificateAttributes.readForRequests(holder);
  const values = await parts.certificateAttributes.accept(current, { holder, raProfile, signal, actor });
  return { columns: columnsOf(raProfile), values, raProfile };
}

/** Locks the RA profile first, like all code that locks both. */
export async function holdIssuing(
  { raProfiles }: IssuingParts,
  tx: Executor,
  { columns }: IssuingSettings,
): Promise<void> {
  if (columns.ra_profile_uuid !== null) await raProfiles.holdForUse(tx, columns.ra_profile_uuid);
}

const withoutRaProfile: IssuingSettings = {
  columns: { ra_profile_uuid: null, connector_uuid: null },
  values: noAttributes,
  raProfile: null,
};

const columnsOf = ({ uuid, connectorUuid }: IssuingProfile): IssuingSettings['columns'] => ({
  ra_profile_uuid: uuid,
  connector_uuid: connectorUuid,
});
