// ACME profiles: under which rules ACME is served, and on which RA profiles; with the keys of external account binding.
// Owns: acme_profile, acme_activation, acme_eab_key. Invariants: every change of a profile or of its activations counts its version
// up, in the transaction of the change; an RA profile has one ACME profile at most; a key for one account is used once.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createActivationService } from './activation.ts';
import * as activations from './store-activations.ts';
import { createCertificateAttributes } from './certificate-attributes.ts';
import { directoryUrl } from './directory-url.ts';
import { createEabKeys, eabKeyColumn, type EabKeys } from './eab-keys/service.ts';
import { createAssociations, type Users } from './associations.ts';
import type { AcmeProfileDependants } from './dependants.ts';
import { createRaProfileDependants } from './ra-profile-removal.ts';
import { createAcmeProfileRemoval } from './remove-profiles.ts';
import { acmeProfileRoutes } from './routes.ts';
import { createServedProfiles, type ServedProfiles } from './served-profiles.ts';
import { createAcmeProfileService } from './service.ts';

export { acmeBaseUrl, directoryUrl, FAMILY_WORD, type AcmeFamily } from './directory-url.ts';
export type { AcmeProfileDependants } from './dependants.ts';
export { isNameInUrls } from './settings.ts';
export type { ServedProfile, ServedProfiles } from './served-profiles.ts';

export interface AcmeProfilesParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly users: Users;
  /** Scheme and authority of directories in answers, without a trailing slash. */
  readonly directoryBase: () => string;
}

/** What the protocol server and the first start use of ACME profiles. */
export interface AcmeProfiles {
  /** Profiles as requests meet them. */
  readonly served: ServedProfiles;
  readonly eabKeys: Pick<EabKeys, 'findUsable' | 'bind'>;
  /** 404 when there is no such profile. */
  nameOf(uuid: string): Promise<string>;
  /** The profile of this name; when there is none it is made, enabled, for the first start. */
  ensure(profile: { readonly name: string; readonly raProfileUuid: string }, context: RequestContext): Promise<string>;
  /** Address of the directory of a profile; undefined when none of this name is served. */
  directoryOf(name: string): Promise<string | undefined>;
  registerDependants(dependants: AcmeProfileDependants): void;
}

export function createAcmeProfilesArea(platform: Platform, parts: AcmeProfilesParts): Area & AcmeProfiles {
  const { audit, attributes, raProfiles, users, directoryBase } = parts;
  const dependants: AcmeProfileDependants[] = [];
  const certificateAttributes = createCertificateAttributes({ attributes, raProfiles });
  const associations = createAssociations(platform.database.executor, { attributes, users });
  const served = createServedProfiles(platform, { raProfiles, certificateAttributes, associations });
  const shared = { ...parts, certificateAttributes, associations, onChange: served.forget, dependants };
  const profiles = createAcmeProfileService(platform, shared);
  const eabKeys = createEabKeys(platform, { audit, nameOfProfile: profiles.nameOf });
  raProfiles.registerDependants(createRaProfileDependants(platform, shared));
  raProfiles.registerProtocol({ name: 'ACME', activatedOn: activations.activatedOn });

  return {
    routes: acmeProfileRoutes({
      profiles,
      removal: createAcmeProfileRemoval(platform, shared),
      activation: createActivationService(platform, shared),
      eabKeys,
    }),
    sealedColumns: () => [eabKeyColumn],
    served,
    eabKeys,
    nameOf: profiles.nameOf,
    ensure: profiles.ensure,
    directoryOf: async (name) => {
      const profile = await served.find('profile', name);
      return profile?.enabled ? directoryUrl(directoryBase(), { family: 'profile', name }) : undefined;
    },
    registerDependants: (registered) => void dependants.push(registered),
  };
}
