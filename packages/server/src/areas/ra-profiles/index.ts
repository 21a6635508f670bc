// RA profiles: the conditions under which an authority issues certificates. Owns: ra_profile. Invariants: names are
// unique and appear in URLs; placeholders in attributes are replaced whenever the attributes are sent to a connector; a
// profile without an authority cannot issue; only the platform itself uses internal profiles, which are not returned to
// callers except by functions that are documented to do so.
import type { AddRaProfileRequestDto, RequestAttributeDto } from '@signetry/contract';
import type { KeyPolicy } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Authorities } from '../authorities/index.ts';
import type { Connectors } from '../connectors/index.ts';
import { acceptedKeysOf, allowsUnderscores } from './ra-profile-facts.ts';
import { createApprovalProfileOfRaProfile } from './approval-profile.ts';
import { createCaCertificates, type CaCertificates } from './ca-certificates.ts';
import type { RaProfileDependants } from './dependants.ts';
import { assertOffered } from './ra-profile-facts.ts';
import { createIssuingProfiles, type IssuingProfiles } from './issuing-profiles.ts';
import { createLookups, type Lookups } from './lookups.ts';
import type { RaProfileProtocol } from './protocols.ts';
import { raProfileRoutes } from './routes.ts';
import { removeInternalProfiles } from './remove-ra-profiles.ts';
import { createRaProfileService } from './service.ts';
import {
  findByApprovalProfiles,
  findByAuthority,
  findOfferedNames,
  findOfferedByAuthority,
  hold,
  raProfiles,
} from './store.ts';

export type { CaCertificates, CaChain } from './ca-certificates.ts';
export type { RaProfileDependants } from './dependants.ts';
export type { RaProfileFacts } from './ra-profile-facts.ts';
export type { IssuingProfile } from './issuing-profiles.ts';
export { presentSimplifiedRaProfile } from './present.ts';
export type { RaProfileProtocol } from './protocols.ts';

/** Functions of RA profiles for other areas. */
export interface RaProfiles
  extends
    Pick<
      IssuingProfiles,
      | 'forIssuing'
      | 'forIssuingByUuid'
      | 'forUpkeep'
      | 'certificateDefinitions'
      | 'acceptCertificateAttributes'
      | 'assertEnabled'
    >,
    Lookups {
  /**
   * Returns the attributes as they are sent to the connector: those of the authority's oldest enabled profile, or of
   * its oldest profile if none is enabled.
   */
  attributesForAuthority(authorityUuid: string): Promise<readonly RequestAttributeDto[] | undefined>;
  /** Returns the keys accepted under a profile; undefined if its attributes do not restrict them. */
  acceptedKeys(raProfileUuid: string): Promise<Required<KeyPolicy> | undefined>;
  /** Returns whether a profile allows underscores in DNS names. */
  allowsUnderscores(raProfileUuid: string): Promise<boolean>;
  create(authorityUuid: string, request: AddRaProfileRequestDto, context: RequestContext): Promise<string>;
  /** Creates a profile that only the platform itself can see and use for issuance. */
  createInternal(authorityUuid: string, request: AddRaProfileRequestDto, context: RequestContext): Promise<string>;
  /** Marks a profile as internal if an earlier version created it for the platform itself. */
  markInternal(raProfileUuid: string): Promise<void>;
  registerCaCertificates(inventory: CaCertificates): void;
  /** Fetches the authority's certificates again and imports them into the inventory. */
  learnCaCertificates(raProfileUuid: string, context: RequestContext): Promise<void>;
  registerDependants(dependants: RaProfileDependants): void;
  registerProtocol(protocol: RaProfileProtocol): void;
  /**
   * Until the transaction ends, prevents others from removing the profile or adding references to it; 404 if it does
   * not exist. Rejects internal profiles.
   */
  holdForUse(tx: Executor, uuid: string): Promise<void>;
}

export function createRaProfilesArea(
  platform: Platform,
  areas: {
    readonly audit: AuditTrail;
    readonly attributes: AttributeEngine;
    readonly connectors: Connectors;
    readonly authorities: Authorities;
    readonly approvals: Pick<Approvals, 'describeProfiles' | 'holdProfile' | 'registerUse'>;
  },
): Area & RaProfiles {
  const { executor } = platform.database;
  const dependants: RaProfileDependants[] = [];
  const protocols: RaProfileProtocol[] = [];
  const profiles = createIssuingProfiles(platform, areas);
  const caCertificates = createCaCertificates(platform, { connectors: areas.connectors, profiles });
  const service = createRaProfileService(platform, {
    ...areas,
    profiles,
    caCertificates,
    dependants,
    protocols,
  });
  areas.authorities.registerDependants({
    what: 'RA profiles',
    ...raProfiles.referringBy('authority_uuid'),
    names: findOfferedByAuthority,
    onRemoved: (tx, authorityUuid, context) =>
      removeInternalProfiles(tx, { ...areas, dependants }, { authorityUuid, context }),
  });
  areas.approvals.registerUse({ resource: 'raProfiles', what: 'RA profile', find: findByApprovalProfiles });
  const approvalProfile = createApprovalProfileOfRaProfile({ ...areas, platform, profiles, service });

  return {
    routes: raProfileRoutes({ service, profiles, caCertificates, approvalProfile }),
    objectNames: { raProfiles: findOfferedNames },
    valueHolders: { raProfiles: service.holder },
    forIssuing: profiles.forIssuing,
    forIssuingByUuid: profiles.forIssuingByUuid,
    forUpkeep: profiles.forUpkeep,
    certificateDefinitions: profiles.certificateDefinitions,
    acceptCertificateAttributes: profiles.acceptCertificateAttributes,
    assertEnabled: profiles.assertEnabled,
    ...createLookups(executor),
    attributesForAuthority: async (authorityUuid) => {
      const [first] = await findByAuthority(executor, authorityUuid);
      return first && (await profiles.forUpkeep(first.uuid)).raProfileAttributes;
    },
    allowsUnderscores: async (uuid) => allowsUnderscores((await profiles.forIssuingByUuid(uuid)).raProfileAttributes),
    acceptedKeys: async (uuid) => acceptedKeysOf((await profiles.forIssuingByUuid(uuid)).raProfileAttributes),
    create: service.create,
    createInternal: service.createInternal,
    markInternal: async (uuid) => {
      await raProfiles.updateMany(executor, [uuid], { internal: true });
      profiles.invalidate([uuid]);
    },
    registerCaCertificates: caCertificates.register,
    learnCaCertificates: caCertificates.learnQuietly,
    registerDependants: (registered) => void dependants.push(registered),
    registerProtocol: (registered) => void protocols.push(registered),
    holdForUse: async (tx, uuid) => {
      const profile = await hold(tx, uuid);
      if (!profile) throw notFound('RA profile', uuid);
      assertOffered(profile);
    },
  };
}
