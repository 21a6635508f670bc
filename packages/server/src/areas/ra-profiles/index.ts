// RA profiles: under which conditions an authority issues.
// Owns: ra_profile. Invariants: names are unique and appear in URLs; placeholders in attributes are replaced whenever a
// connector gets them; a profile without its authority issues nothing.
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
import { acceptedKeysOf } from './accepted-keys.ts';
import { createApprovalProfileOfRaProfile } from './approval-profile.ts';
import { createCaCertificates, type CaCertificates } from './ca-certificates.ts';
import type { RaProfileDependants } from './dependants.ts';
import { factsOf, type RaProfileFacts } from './domain.ts';
import { createIssuingProfiles, type IssuingProfiles } from './issuing-profiles.ts';
import type { PlatformUse } from './platform-use.ts';
import type { RaProfileProtocol } from './protocols.ts';
import { raProfileRoutes } from './routes.ts';
import { createRaProfileService } from './service.ts';
import { findByApprovalProfiles, findOfAuthority, hold, raProfiles } from './store.ts';
import type { RaProfileRow } from './tables.ts';

export type { CaCertificates, CaChain } from './ca-certificates.ts';
export type { RaProfileDependants } from './dependants.ts';
export type { RaProfileFacts } from './domain.ts';
export type { IssuingProfile } from './issuing-profiles.ts';
export { presentSimplifiedRaProfile } from './present.ts';
export type { RaProfileProtocol } from './protocols.ts';

/** What other areas use of RA profiles. */
export interface RaProfiles extends Pick<
  IssuingProfiles,
  'forIssuing' | 'forIssuingByUuid' | 'certificateDefinitions' | 'acceptCertificateAttributes' | 'assertEnabled'
> {
  findByUuid(uuid: string): Promise<RaProfileFacts | undefined>;
  findByName(name: string): Promise<RaProfileFacts | undefined>;
  findMany(uuids: readonly string[]): Promise<RaProfileFacts[]>;
  /** Authority of a profile; undefined when the profile or its authority is gone. */
  authorityOf(raProfileUuid: string): Promise<string | undefined>;
  /** CA certificates that sign for the profiles of an authority. */
  caCertificateUuids(authorityUuid: string): Promise<string[]>;
  /** Attributes of the oldest enabled profile of an authority, else of the oldest, as the connector gets them. */
  attributesForAuthority(authorityUuid: string): Promise<readonly RequestAttributeDto[] | undefined>;
  /** Which keys are certified under a profile; undefined where its attributes ask for nothing in particular. */
  acceptedKeys(raProfileUuid: string): Promise<Required<KeyPolicy> | undefined>;
  /** Identifiers and names of all profiles, for filters. */
  listNames(): Promise<{ uuid: string; name: string }[]>;
  create(authorityUuid: string, request: AddRaProfileRequestDto, context: RequestContext): Promise<string>;
  registerCaCertificates(inventory: CaCertificates): void;
  /** Asks the authority for its certificates again and hands them to the inventory. */
  learnCaCertificates(raProfileUuid: string, context: RequestContext): Promise<void>;
  registerDependants(dependants: RaProfileDependants): void;
  registerProtocol(protocol: RaProfileProtocol): void;
  registerPlatformUse(isUsed: PlatformUse): void;
  /**
   * Makes sure that the profile stays until the transaction ends, and that nobody else refers it anew meanwhile; 404
   * when it is gone.
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
  const platformUses: PlatformUse[] = [];
  const profiles = createIssuingProfiles(platform, areas);
  const caCertificates = createCaCertificates(platform, { connectors: areas.connectors, profiles });
  const service = createRaProfileService(platform, {
    ...areas,
    profiles,
    caCertificates,
    dependants,
    protocols,
    platformUses,
  });
  areas.authorities.registerDependants({
    what: 'RA profiles',
    ...raProfiles.referringBy('authority_uuid'),
  });
  areas.approvals.registerUse({ resource: 'raProfiles', what: 'RA profile', find: findByApprovalProfiles });
  const approvalProfile = createApprovalProfileOfRaProfile({ ...areas, platform, profiles, service });

  return {
    routes: raProfileRoutes({ service, profiles, caCertificates, approvalProfile }),
    objectNames: { raProfiles: raProfiles.findNames },
    valueHolders: { raProfiles: service.holder },
    forIssuing: profiles.forIssuing,
    forIssuingByUuid: profiles.forIssuingByUuid,
    certificateDefinitions: profiles.certificateDefinitions,
    acceptCertificateAttributes: profiles.acceptCertificateAttributes,
    assertEnabled: profiles.assertEnabled,
    findByUuid: async (uuid) => optional(await raProfiles.findOne(executor, uuid)),
    findByName: async (name) => optional(await raProfiles.findByName(executor, name)),
    findMany: async (uuids) => (await raProfiles.findMany(executor, uuids)).map(factsOf),
    authorityOf: async (uuid) => (await raProfiles.findOne(executor, uuid))?.authority_uuid ?? undefined,
    caCertificateUuids: async (authorityUuid) => {
      const rows = await findOfAuthority(executor, authorityUuid);
      return [...new Set(rows.flatMap(({ ca_certificate_uuid: uuid }) => (uuid === null ? [] : [uuid])))];
    },
    attributesForAuthority: async (authorityUuid) => {
      const [first] = await findOfAuthority(executor, authorityUuid);
      return first && (await profiles.forIssuingByUuid(first.uuid)).raProfileAttributes;
    },
    acceptedKeys: async (uuid) => acceptedKeysOf((await profiles.forIssuingByUuid(uuid)).raProfileAttributes),
    listNames: async () => (await raProfiles.findAll(executor)).map(({ uuid, name }) => ({ uuid, name })),
    create: service.create,
    registerCaCertificates: caCertificates.register,
    learnCaCertificates: caCertificates.learnQuietly,
    registerDependants: (registered) => void dependants.push(registered),
    registerProtocol: (registered) => void protocols.push(registered),
    registerPlatformUse: (registered) => void platformUses.push(registered),
    holdForUse: async (tx, uuid) => {
      if (!(await hold(tx, uuid))) throw notFound('RA profile', uuid);
    },
  };
}

const optional = (row: RaProfileRow | undefined): RaProfileFacts | undefined => row && factsOf(row);
