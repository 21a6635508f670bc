// Activation of a profile on an RA profile: the protocol is then also served under the RA profile's name, with
// attributes specific to the activation. The authority is called before the transaction begins, never inside one.
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import type { RaProfileFacts } from '../ra-profiles/index.ts';
import {
  activationHolder,
  holderOfActivated,
  noAttributes,
  type AttributeRequest,
  type ShownAttributes,
} from './certificate-attributes.ts';
import type { ChangeParts, ProfileParts } from './profile-parts.ts';
import type { ActivationRow } from './protocol.ts';

/** RA profile and its authority. */
export interface ActivationKey {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

export interface Activation {
  /** Profile to activate. */
  readonly uuid: string;
  readonly name: string;
  readonly raProfileName: string;
  readonly attributes: ShownAttributes;
}

/** Returns undefined if the protocol is not served under the RA profile's name. */
export async function findActivation(parts: ProfileParts, key: ActivationKey): Promise<Activation | undefined> {
  const { protocol, platform, profiles, certificateAttributes } = parts;
  const raProfile = await requireRaProfile(parts, key);
  const row = await profiles.findActivated(platform.database.executor, raProfile.uuid);
  if (!row) return undefined;
  const attributes = await certificateAttributes.read(holderOfActivated(protocol, row));
  return { uuid: row.uuid, name: row.name, raProfileName: raProfile.name, attributes };
}

async function requireRaProfile(
  { raProfiles }: Pick<ProfileParts, 'raProfiles'>,
  { authorityUuid, raProfileUuid }: ActivationKey,
): Promise<RaProfileFacts> {
  const facts = await raProfiles.findByUuid(raProfileUuid);
  if (!facts || facts.authorityUuid !== authorityUuid.toLowerCase()) throw notFound('RA profile', raProfileUuid);
  return facts;
}

/** Replaces an existing activation. */
export async function activateProfile(
  parts: ChangeParts,
  { key, uuid, request }: { readonly key: ActivationKey; readonly uuid: string; readonly request: AttributeRequest },
  context: RequestContext,
): Promise<void> {
  const { protocol, platform, profiles, activations, raProfiles, certificateAttributes, audit, onChange } = parts;
  const raProfile = await raProfiles.forIssuing(key.authorityUuid, key.raProfileUuid);
  const profile = await profiles.require(platform.database.executor, uuid);
  const row: ActivationRow = {
    ra_profile_uuid: raProfile.uuid,
    profile_uuid: profile.uuid,
    connector_uuid: raProfile.connectorUuid,
    created_at: platform.clock.now(),
  };
  const holder = activationHolder(protocol, row);
  const accepted = await certificateAttributes.acceptRequest(request, {
    holder,
    raProfile,
    signal: context.signal,
    actor: context.actor,
  });
  await platform.database.transaction(async (tx) => {
    // All code that locks both of them locks the RA profile first.
    await raProfiles.holdForUse(tx, row.ra_profile_uuid);
    const earlier = await activations.findOne(tx, row.ra_profile_uuid);
    const concerned = [row.profile_uuid, ...(earlier ? [earlier.profile_uuid] : [])];
    const locked = await profiles.lockMany(tx, concerned);
    if (!locked.some((each) => each.uuid === row.profile_uuid)) throw notFound(profiles.what, uuid);
    await activations.replace(tx, row);
    await certificateAttributes.replace(tx, holder, accepted);
    await profiles.updateMany(tx, concerned, {});
    await audit.append(tx, context, {
      objects: [{ uuid: raProfile.uuid, name: raProfile.name }],
      affiliated: { resource: protocol.resource, objects: [{ uuid: profile.uuid, name: profile.name }] },
    });
  });
  onChange();
}

/** Does nothing if no profile is activated, so that a repeated call is harmless. */
export async function deactivateProfile(
  parts: ChangeParts,
  key: ActivationKey,
  context: RequestContext,
): Promise<void> {
  const { protocol, platform, profiles, activations, raProfiles, certificateAttributes, audit, onChange } = parts;
  const raProfile = await requireRaProfile(parts, key);
  await platform.database.transaction(async (tx) => {
    await raProfiles.holdForUse(tx, raProfile.uuid);
    const [row] = await activations.remove(tx, [raProfile.uuid]);
    if (!row) return;
    await certificateAttributes.replace(tx, activationHolder(protocol, row), noAttributes);
    const [profile] = await profiles.updateMany(tx, [row.profile_uuid], {});
    await audit.append(tx, context, {
      objects: [{ uuid: raProfile.uuid, name: raProfile.name }],
      affiliated: {
        resource: protocol.resource,
        objects: [{ uuid: row.profile_uuid, ...(profile ? { name: profile.name } : {}) }],
      },
    });
  });
  onChange();
}
