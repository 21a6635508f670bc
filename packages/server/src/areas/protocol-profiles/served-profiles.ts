// Profiles as the server of a protocol reads them on every request: with everything that issuing under them needs,
// remembered for a moment. `version` lets a statement make sure that what is remembered still holds.
import type { RequestAttributeDto } from '@signetry/contract';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { RaProfileFacts } from '../ra-profiles/index.ts';
import type { Association } from './associations.ts';
import { holderOfActivated, profileHolder, type CertificateAttributeValues } from './certificate-attributes.ts';
import { isNameInUrls, type ProfileFamily } from './profile-addresses.ts';
import type { ProfileParts } from './profile-parts.ts';
import type { ProtocolProfileRow } from './protocol.ts';

/** What the profiles of every protocol are served with. Attributes carry secrets: never log a profile. */
export interface ServedProfile {
  /** Under whose name it is served. */
  readonly family: ProfileFamily;
  readonly uuid: string;
  /** Of the profile itself, in both families. */
  readonly name: string;
  readonly version: number;
  readonly enabled: boolean;
  /** What certificates are issued with: the one of the profile, or the one whose name it is served under. */
  readonly raProfile: ServedRaProfile | undefined;
  /** In the form in which requests for certificates carry them. */
  readonly issueAttributes: readonly RequestAttributeDto[];
  readonly revokeAttributes: readonly RequestAttributeDto[];
  /** What its certificates belong to. */
  readonly association: Association;
}

export interface ServedRaProfile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Undefined after the authority was removed by force. */
  readonly authorityUuid: string | undefined;
}

export interface ServedProfiles<Served extends ServedProfile> {
  /** The profile served under a name of a family; undefined when there is none, whatever its state otherwise. */
  find(family: ProfileFamily, name: string): Promise<Served | undefined>;
  /** After a change on this node. Changes are rare, so everything is read anew. */
  forget(): void;
}

/** `complete` adds what the protocol has of its own. */
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

/** As a server reads it. */
export const servedRaProfile = ({ uuid, name, enabled, authorityUuid }: RaProfileFacts): ServedRaProfile => ({
  uuid,
  name,
  enabled,
  authorityUuid: authorityUuid ?? undefined,
});
