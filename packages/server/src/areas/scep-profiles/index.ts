// SCEP profiles: the rules under which SCEP is served, and the RA profiles on which it is served. Owns: scep_profile,
// scep_activation. Invariants: the same as for all protocol profiles; a profile refers to a certificate that could sign
// and decrypt when it was selected.
import type { Area, Platform } from '../../platform/platform.ts';
import type { InventoryArea } from '../inventory/index.ts';
import {
  createProfileParts,
  listNames,
  profileReading,
  registerWithRaProfiles,
  type ProfileAreas,
} from '../protocol-profiles/index.ts';
import { createIntuneProfiles, type IntuneProfiles } from './intune-accounts.ts';
import type { SigningCertificates } from '../signing-certificates/index.ts';
import type { RaCertificateParts } from './ensure-ra-certificate.ts';
import { scep } from './protocol.ts';
import { scepProfileRoutes } from './routes.ts';
import { createServedScepProfiles, type ServedScepProfiles } from './served-profiles.ts';
import type { ScepProfileParts } from './service.ts';
import { sealedColumns } from './sealed-secrets.ts';
import type { ScepProfileRow } from './tables.ts';

export { SCEP_CA } from './ca-certificate.ts';
export type { IntuneAccount, IntuneProfiles } from './intune-accounts.ts';
export type { ServedScepProfile, ServedScepProfiles } from './served-profiles.ts';

export interface ScepProfileAreas
  extends ProfileAreas, Pick<ScepProfileParts, 'directoryBase'>, Omit<RaCertificateParts, 'certificatesInUse'> {
  readonly signingCertificates: Pick<SigningCertificates, 'list' | 'problemOf' | 'present' | 'keyOf'>;
  readonly raProfiles: ProfileAreas['raProfiles'];
  readonly inventory: Pick<InventoryArea, 'registerSearchField'>;
}

/** Operations on SCEP profiles for the protocol server. */
export interface ScepProfiles {
  /** Profiles as requests use them. */
  readonly served: ServedScepProfiles;
  /** Profiles whose requests Microsoft Intune validates. */
  readonly withIntune: IntuneProfiles;
}

export function createScepProfilesArea(platform: Platform, areas: ScepProfileAreas): Area & ScepProfiles {
  const { directoryBase, signingCertificates } = areas;
  const common = createProfileParts<ScepProfileRow>(platform, { ...areas, protocol: scep });
  const served = createServedScepProfiles(common);
  const parts: ScepProfileParts = {
    ...common,
    directoryBase,
    signingCertificates,
    dependants: [],
    onChange: served.forget,
  };
  registerWithRaProfiles(parts);
  areas.inventory.registerSearchField({
    field: 'SCEP_PROFILE',
    reading: profileReading(scep),
    list: (executor, context) => listNames(parts, executor, context),
  });
  return {
    routes: scepProfileRoutes(parts, { ...areas, certificatesInUse: () => certificatesInUse(parts) }),
    objectNames: { scepProfiles: parts.profiles.findNames },
    sealedColumns: () => sealedColumns,
    served,
    withIntune: createIntuneProfiles(common),
  };
}

async function certificatesInUse({ profiles, platform }: ScepProfileParts): Promise<ReadonlySet<string>> {
  const rows = await profiles.findAll(platform.database.executor);
  return new Set(rows.map(({ ca_certificate_uuid: uuid }) => uuid));
}
