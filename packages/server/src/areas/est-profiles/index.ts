// EST profiles: the rules for serving Enrollment over Secure Transport (RFC 7030), and the RA profiles that it is
// served on. Owns: est_profile, est_activation. Invariants: the same as for all protocol profiles; at most one profile
// is the default.
import type { Area, Platform } from '../../platform/platform.ts';
import type { IssuingArea } from '../issuing/index.ts';
import { createProfileParts, registerWithRaProfiles, type ProfileAreas } from '../protocol-profiles/index.ts';
import { passwordColumn } from './passwords.ts';
import { est } from './protocol.ts';
import { estProfileRoutes } from './routes.ts';
import { createServedEstProfiles, type ServedEstProfiles } from './served-profiles.ts';
import type { EstProfileParts } from './service.ts';
import type { EstProfileRow } from './tables.ts';

export { csrAttributesOf } from './requested-attributes.ts';
export type { ServedEstProfile, ServedEstProfiles } from './served-profiles.ts';

export interface EstProfileAreas extends ProfileAreas {
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  /** Scheme and authority of URLs in responses, without a trailing slash. */
  readonly urlBase: () => string;
}

/** EST profile functions for the protocol server. */
export interface EstProfiles {
  /** Profiles as the protocol server reads them. */
  readonly served: ServedEstProfiles;
}

export function createEstProfilesArea(platform: Platform, areas: EstProfileAreas): Area & EstProfiles {
  const { urlBase, issuing } = areas;
  const common = createProfileParts<EstProfileRow>(platform, { ...areas, protocol: est });
  const served = createServedEstProfiles(common);
  const parts: EstProfileParts = {
    ...common,
    certificates: issuing.protocols,
    urlBase,
    dependants: [],
    onChange: served.forget,
  };
  registerWithRaProfiles(parts);
  return { routes: estProfileRoutes(parts), sealedColumns: () => [passwordColumn], served };
}
