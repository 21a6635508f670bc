// CMP profiles: the rules under which CMP is served, and the RA profiles that it is served on. Owns: cmp_profile,
// cmp_activation. Invariants: those of protocol profiles; a profile that signs its responses refers to a certificate
// that could sign when it was selected.
import type { Area, Platform } from '../../platform/platform.ts';
import type { InventoryArea } from '../inventory/index.ts';
import {
  createProfileParts,
  listNames,
  profileReading,
  registerWithRaProfiles,
  type ProfileAreas,
} from '../protocol-profiles/index.ts';
import { cmp } from './protocol.ts';
import { cmpProfileRoutes } from './routes.ts';
import { createServedCmpProfiles, type ServedCmpProfiles } from './served-profiles.ts';
import type { CmpProfileParts } from './service.ts';
import { sharedSecretColumn } from './shared-secret.ts';
import type { CmpProfileRow } from './tables.ts';

export { CMP_SIGNING } from './signing.ts';
export { isForBaseStations } from './served-profiles.ts';
export type { ServedCmpProfile, ServedCmpProfiles } from './served-profiles.ts';

export interface CmpProfileAreas extends ProfileAreas, Pick<CmpProfileParts, 'signingCertificates' | 'directoryBase'> {
  readonly inventory: Pick<InventoryArea, 'registerSearchField'>;
}

/** CMP profile functions for the protocol server. */
export interface CmpProfiles {
  /** Profiles in the form in which requests use them. */
  readonly served: ServedCmpProfiles;
}

export function createCmpProfilesArea(platform: Platform, areas: CmpProfileAreas): Area & CmpProfiles {
  const { directoryBase, signingCertificates } = areas;
  const common = createProfileParts<CmpProfileRow>(platform, { ...areas, protocol: cmp });
  const served = createServedCmpProfiles(common);
  const parts: CmpProfileParts = {
    ...common,
    directoryBase,
    signingCertificates,
    dependants: [],
    onChange: served.forget,
  };
  registerWithRaProfiles(parts);
  areas.inventory.registerSearchField({
    field: 'CMP_PROFILE',
    reading: profileReading(cmp),
    list: (executor, context) => listNames(parts, executor, context),
  });
  return {
    routes: cmpProfileRoutes(parts),
    objectNames: { cmpProfiles: parts.profiles.findNames },
    sealedColumns: () => [sharedSecretColumn],
    served,
  };
}
