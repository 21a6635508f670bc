// ACME profiles: the rules under which ACME is served, the RA profiles that it is served on, and external account
// binding keys. Owns: acme_profile, acme_activation, acme_eab_key. Invariants: those of protocol profiles; a single-use
// key is used only once.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { InventoryArea } from '../inventory/index.ts';
import {
  createProfileParts,
  listNames,
  registerWithRaProfiles,
  type ProfileAreas,
  type ProfileDependants,
  profileReading,
} from '../protocol-profiles/index.ts';
import { directoryUrl } from './directory-url.ts';
import { createEabKeyManagement } from './eab-keys/manage-keys.ts';
import { eabKeyColumn } from './eab-keys/sealed-key.ts';
import { createEabKeys, type EabKeys } from './eab-keys/use-keys.ts';
import { acme } from './protocol.ts';
import { acmeProfileRoutes } from './routes.ts';
import { createServedAcmeProfiles, type ServedAcmeProfiles } from './served-profiles.ts';
import { ensureProfile, type AcmeProfileParts } from './service.ts';
import type { AcmeProfileRow } from './tables.ts';

export { acmeBaseUrl, directoryUrl } from './directory-url.ts';
export type { EabKeyLookup, EabKeys } from './eab-keys/use-keys.ts';
export { hasAllowedNames, nameRejection, type NamePolicy } from './name-policy.ts';
export type { ServedAcmeProfile, ServedAcmeProfiles } from './served-profiles.ts';

export interface AcmeProfileAreas extends ProfileAreas {
  readonly inventory: Pick<InventoryArea, 'registerSearchField'>;
  /** Scheme and authority of directory URLs in responses, without a trailing slash. */
  readonly directoryBase: () => string;
}

/** ACME profile functions for the protocol server and the first start. */
export interface AcmeProfiles {
  /** Profiles in the form in which requests use them. */
  readonly served: ServedAcmeProfiles;
  readonly eabKeys: EabKeys;
  /** Throws 404 if there is no such profile. */
  nameOf(uuid: string): Promise<string>;
  /** Returns the profile with this name. If there is none, it is created and enabled. Used by the first start. */
  ensure(profile: { readonly name: string; readonly raProfileUuid: string }, context: RequestContext): Promise<string>;
  /** Returns a profile's directory URL; undefined if no profile with this name is served. */
  directoryOf(name: string): Promise<string | undefined>;
  registerDependants(dependants: ProfileDependants): void;
}

export function createAcmeProfilesArea(platform: Platform, areas: AcmeProfileAreas): Area & AcmeProfiles {
  const { directoryBase, audit } = areas;
  const common = createProfileParts<AcmeProfileRow>(platform, { ...areas, protocol: acme });
  const served = createServedAcmeProfiles(common);
  const dependants: ProfileDependants[] = [];
  const parts: AcmeProfileParts = { ...common, directoryBase, dependants, onChange: served.forget };
  const nameOf = async (uuid: string): Promise<string> =>
    (await parts.profiles.require(platform.database.executor, uuid)).name;
  registerWithRaProfiles(parts);
  areas.inventory.registerSearchField({
    field: 'ACME_PROFILE',
    reading: profileReading(acme),
    list: (executor, context) => listNames(parts, executor, context),
  });
  return {
    routes: acmeProfileRoutes(parts, createEabKeyManagement(platform, { audit, nameOfProfile: nameOf })),
    objectNames: { acmeProfiles: parts.profiles.findNames },
    sealedColumns: () => [eabKeyColumn],
    served,
    eabKeys: createEabKeys(platform),
    nameOf,
    ensure: (profile, context) => ensureProfile(parts, profile, context),
    directoryOf: async (name) => {
      const profile = await served.find('profile', name);
      return profile?.enabled ? directoryUrl(directoryBase(), { family: 'profile', name }) : undefined;
    },
    registerDependants: (registered) => void dependants.push(registered),
  };
}
