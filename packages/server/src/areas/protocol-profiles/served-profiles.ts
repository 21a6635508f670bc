// Profiles as protocol servers read them for every request: with everything required for issuance, and cached briefly.
// Statements use `version` to verify that a cached profile is up to date.
import type { RequestAttributeDto } from '@signetry/contract';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { RaProfileFacts } from '../ra-profiles/index.ts';
import type { Association } from './associations.ts';
import { holderOfActivated, profileHolder, type CertificateAttributeValues } from './certificate-attributes.ts';
import { isNameInUrls, type ProfileFamily } from './profile-urls.ts';
import type { ProfileParts } from './profile-parts.ts';
import type { ProtocolProfileRow } from './protocol.ts';

/** Common part of the served profiles of all protocols. Attributes contain secrets: never log a profile. */
export interface ServedProfile {
  /** Kind of name under which it is served. */
  readonly family: ProfileFamily;
  readonly uuid: string;
  /** The profile's own name, even if it is served under an RA profile's name. */
  readonly name: string;
  readonly version: number;
  readonly enabled: boolean;
  /**
   * RA profile under which certificates are issued: the profile's RA profile, or the RA profile under whose name it is
   * served.
   */
  readonly raProfile: ServedRaProfile | undefined;
  /** In the form used in certificate requests. */
  readonly issueAttributes: readonly RequestAttributeDto[];
  readonly revokeAttributes: readonly RequestAttributeDto[];
  /** Owner, groups and custom attributes for certificates issued under the profile. */
  readonly association: Association;
}

export interface ServedRaProfile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Undefined if the authority was removed by force. */
  readonly authorityUuid: string | undefined;
}

export interface ServedProfiles<Served extends ServedProfile> {
  /** Returns the profile served under a name, even if it is disabled; undefined if there is none. */
  find(family: ProfileFamily, name: string): Promise<Served | undefined>;
  /** Called after a change on this node. Changes are rare, so all profiles are reloaded. */
  forget(): void;
}

/** Creates the cache; `complete` adds the protocol's own fields. */
export function createServedProfiles<Row extends ProtocolProfileRow, Served extends ServedProfile>(
  parts: ProfileParts<Row>,
  complete: (row: Row, served: ServedProfile) => Served | Promise<Served>,
): ServedProfiles<Served> {
  const cache = createExpiringCache({
    clock: parts.platform.clock,
    load: async (key: string): Promise<Served | undefined> => {
      const [family = '', name = ''] = key.split(' ');
      const found = await (family === 'profile' ? loadProfile(parts, name) : loadActivated(parts, name));
      return found && complete(found.row, found.served);
    },
  });
  return {
    find: (family, name) => (isNameInUrls(name) ? cache.get(`${family} ${name}`) : Promise.resolve(undefined)),
    forget: () => cache.invalidate(),
  };
}

interface Loaded<Row> {
  readonly row: Row;
  readonly served: ServedProfile;
}

async function loadProfile<Row extends ProtocolProfileRow>(
  { protocol, platform, profiles, raProfiles, associations, certificateAttributes, values: custom }: ProfileParts<Row>,
  name: string,
): Promise<Loaded<Row> | undefined> {
  const row = await profiles.findByName(platform.database.executor, name);
  if (!row) return undefined;
  const raProfile = row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid);
  const values = await certificateAttributes.readForRequests(profileHolder(protocol, row));
  const association = {
    ...(await associations.read(row)),
    customAttributes: await custom.readForCertificates(row.uuid),
  };
  return { row, served: servedProfile(row, { family: 'profile', raProfile, values, association }) };
}

async function loadActivated<Row extends ProtocolProfileRow>(
  { protocol, platform, profiles, raProfiles, associations, certificateAttributes, values: custom }: ProfileParts<Row>,
  raProfileName: string,
): Promise<Loaded<Row> | undefined> {
  const raProfile = await raProfiles.findByName(raProfileName);
  const row = raProfile && (await profiles.findActivated(platform.database.executor, raProfile.uuid));
  if (!row) return undefined;
  const values = await certificateAttributes.readForRequests(holderOfActivated(protocol, row));
  const association = {
    ...(await associations.read(row)),
    customAttributes: await custom.readForCertificates(row.uuid),
  };
  return { row, served: servedProfile(row, { family: 'raProfile', raProfile, values, association }) };
}

const servedProfile = (
  { uuid, name, version, enabled }: ProtocolProfileRow,
  facts: {
    readonly family: ProfileFamily;
    readonly raProfile: RaProfileFacts | undefined;
    readonly values: CertificateAttributeValues;
    readonly association: Association;
  },
): ServedProfile => ({
  family: facts.family,
  uuid,
  name,
  version,
  enabled,
  raProfile: facts.raProfile && servedRaProfile(facts.raProfile),
  issueAttributes: facts.values.issue,
  revokeAttributes: facts.values.revoke,
  association: facts.association,
});

/** Returns an RA profile in the form that servers read. */
export const servedRaProfile = ({ uuid, name, enabled, authorityUuid }: RaProfileFacts): ServedRaProfile => ({
  uuid,
  name,
  enabled,
  authorityUuid: authorityUuid ?? undefined,
});
