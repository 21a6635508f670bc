// ACME (RFC 8555): certificates for clients that prove control of the names.
// Owns: the tables of migration 0008-acme. Invariants: every change of a profile or of its activations counts its version up, in the
// transaction of the change; a key of external account binding for one account is used once; a revoked account stays revoked;
// a nonce is used once, on whatever node; an order names its certificate before anything is asked for, so it gets one.
import type { CertificatesArea } from '../../areas/certificates/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { eabKeyColumn } from './eab-keys/service.ts';
import { directoryUrl } from './directory-url.ts';
import { createAcmeManagement, type AcmeManagement, type AcmeManagementParts } from './management.ts';
import { createAcmeServer, type AcmeSettings } from './server.ts';

export type { AcmeSettings } from './server.ts';

export interface AcmeParts extends Omit<AcmeManagementParts, 'onAccountsChanged'> {
  readonly certificates: Pick<CertificatesArea, 'protocols' | 'chainOf'>;
  /** The system user that requests act as. */
  readonly actor: () => Promise<Actor>;
  /** Scheme and authority in addresses, from those under which a request came. */
  readonly linkOrigin: (requestOrigin: string) => string;
  readonly settings: AcmeSettings;
}

export interface AcmeArea extends Area, Pick<AcmeManagement, 'ensureDefaultProfile'> {
  /** Address of the directory of an ACME profile; undefined when none of this name is served. */
  directoryOf(profileName: string): Promise<string | undefined>;
}

export function createAcmeArea(platform: Platform, parts: AcmeParts): AcmeArea {
  const management = createAcmeManagement(platform, {
    ...parts,
    onAccountsChanged: (accountIds) => server.forgetAccounts(accountIds),
  });
  const server = createAcmeServer(platform, {
    ...parts,
    profiles: management.servedProfiles,
    eabKeys: management.eabKeys,
    renewalWindows: management.renewalWindows,
  });
  return {
    routes: management.routes,
    http: server.http,
    sealedColumns: () => [eabKeyColumn],
    start: server.start,
    stop: server.stop,
    ensureDefaultProfile: management.ensureDefaultProfile,
    directoryOf: async (name) => {
      const profile = await management.servedProfiles.find('profile', name);
      return profile?.enabled ? directoryUrl(parts.directoryBase(), { family: 'profile', name }) : undefined;
    },
  };
}
