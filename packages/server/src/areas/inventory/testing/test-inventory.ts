// The inventory on a separate database, with surrounding areas that respond as a test specifies.
import type { MetadataAttribute } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform, type FakeClock } from '@signetry/testkit/services';
import { coreContext, noPermissions, type RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAttributeEngine, type AttributeEngine } from '../../attributes/index.ts';
import { createOidsArea, type Oids } from '../../oids/index.ts';
import { createSettingsArea } from '../../settings/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { createCertificateAccess } from '../../certificates/access.ts';
import { createCompliancePort } from '../../certificates/compliance-port.ts';
import { createIssuers, type Issuers } from '../../certificates/issuers.ts';
import type { Users } from '../../certificates/ports.ts';
import { createAppearanceSettler } from '../../issuing/settling/by-appearance.ts';
import { createValidation, type Validation, type ValidationOptions } from '../../validation/validation.ts';
import { createInventory, type Inventory, type InventoryOptions } from '../inventory.ts';

export interface TestInventory {
  readonly platform: Platform;
  readonly clock: FakeClock;
  readonly inventory: Inventory;
  readonly validation: Validation;
  readonly issuers: Issuers;
  readonly attributes: AttributeEngine;
  readonly audit: InventoryOptions['audit'];
  readonly context: RequestContext;
  /** Response of the connector's `identifyCertificate`; not identified by default. */
  identify: (profile: IssuingProfile) => Promise<readonly MetadataAttribute[]>;
  /** URL of the connector of new chains. */
  connectorUrl: string;
  readonly usernames: Map<string, string>;
  /** Names of users, by the certificate with which they sign in. */
  readonly bindings: Map<string, string>;
  readonly oids: Oids;
  addProfile(name: string, facts?: ProfileFacts): Promise<IssuingProfile>;
  /** Uploads the DER as Base64 and returns the UUID. */
  upload(der: Uint8Array): Promise<string>;
  trust(der: Uint8Array): Promise<string>;
  /** Must be called before the jobs are started. */
  declareJobs(): void;
  stopWork(): Promise<void>;
  audited(): Promise<{ operation: string; operation_result: string; resource_objects: { uuid: string }[] | null }[]>;
}

export interface ProfileFacts {
  readonly caCertificateUuid?: string;
  readonly validationEnabled?: boolean;
  readonly expiringThresholdDays?: number;
}

/** Data of the areas around the inventory. */
interface StubData {
  readonly profiles: Map<string, IssuingProfile>;
  readonly usernames: Map<string, string>;
  readonly bindings: Map<string, string>;
}

export async function createTestInventory(
  options: Pick<ValidationOptions, 'lookUpRevocation'> = {},
): Promise<TestInventory> {
  const clock = createFakeClock();
  const platform = testPlatform(await testDatabase(), { clock });
  const attributes = createAttributeEngine(platform);
  attributes.registerConnectorNames((uuids) => Promise.resolve(new Map(uuids.map((uuid) => [uuid, 'Connector']))));
  const issuers = createIssuers({ executor: platform.database.executor, clock });
  const { trail: audit } = createAuditArea(platform);
  const surroundings: StubData = { profiles: new Map(), usernames: new Map(), bindings: new Map() };
  const { profiles, usernames, bindings } = surroundings;
  const oids = createOidsArea(platform, { audit });
  const context: RequestContext = { ...coreContext(newUuid()), actor: { ...coreContext('').actor, username: 'alice' } };
  const shared = { platform, audit, issuers, users: stubUsers(surroundings), names: oids.names };
  const validation = createValidation({ ...shared, settings: createSettingsArea(platform, { audit }), ...options });
  const neighbours = {
    ...shared,
    attributes,
    ...stubAuthorities(surroundings),
    connectors: stubConnectors(surroundings, () => test),
  };
  const inventory = createInventory({
    ...neighbours,
    compliance: createCompliancePort(),
    assertVisible: createCertificateAccess(platform),
    validation,
    settleByAppearance: createAppearanceSettler(neighbours),
    furtherFields: [],
    keys: { findByPublicKey: async () => undefined },
  });

  const test: TestInventory = {
    platform,
    clock,
    inventory,
    validation,
    oids,
    issuers,
    attributes,
    audit,
    context,
    usernames,
    bindings,
    connectorUrl: 'http://connector.test',
    identify: () => Promise.reject(notFound('Certificate', 'of the request')),
    async addProfile(name, facts = {}) {
      const profile = profileOf(name, facts);
      profiles.set(profile.uuid, profile);
      await insertProfile(platform, profile);
      return profile;
    },
    upload: (der) =>
      inventory.upload({ certificate: Buffer.from(der).toString('base64'), customAttributes: [] }, context),
    async trust(der) {
      const uuid = await test.upload(der);
      await inventory.update(uuid, { trustedCa: true }, context);
      return uuid;
    },
    declareJobs: () => {
      validation.declareJobs();
      inventory.declareJobs();
    },
    stopWork: async () => {
      await inventory.stopWork();
      await validation.stopWork();
    },
    audited: () =>
      platform.database.query('SELECT operation, operation_result, resource_objects FROM audit_record ORDER BY id'),
  };
  return test;
}

const stubUsers = ({ usernames, bindings }: StubData): Users => ({
  findUser: async (_executor, { uuid }) => {
    const username = usernames.get(uuid);
    return username === undefined ? undefined : { uuid, username };
  },
  permissionsOf: async () => noPermissions,
  registerPowers: () => undefined,
  findUsersOfCertificates: async (_executor, uuids) =>
    uuids.flatMap((certificateUuid) => {
      const username = bindings.get(certificateUuid);
      return username === undefined ? [] : [{ certificateUuid, username }];
    }),
  forgetCertificates: () => undefined,
});

/** Certificates of subordinate authorities are tested with the whole platform. */
const stubAuthorities = ({ profiles }: StubData): Pick<InventoryOptions, 'authorities' | 'raProfiles'> => ({
  authorities: {
    find: () => Promise.reject(notFound('Authority', 'of a test')),
    subordinates: { certificationRequest: async () => undefined, findAuthorityWith: async () => undefined },
  },
  raProfiles: {
    create: () => Promise.reject(notFound('Authority', 'of a test')),
    findByName: async () => undefined,
    forIssuingByUuid: (uuid) => findStubProfile(profiles, uuid),
    forUpkeep: (uuid) => findStubProfile(profiles, uuid),
  },
});

async function findStubProfile(profiles: StubData['profiles'], uuid: string): Promise<IssuingProfile> {
  const profile = profiles.get(uuid);
  if (!profile) throw notFound('RA profile', uuid);
  return profile;
}

const stubConnectors = (
  { profiles }: StubData,
  test: () => Pick<TestInventory, 'identify' | 'connectorUrl'>,
): InventoryOptions['connectors'] => ({
  client: async (uuid) => ({
    uuid,
    name: 'Connector',
    call: async () => {
      const profile = [...profiles.values()].find((each) => each.connectorUuid === uuid);
      if (!profile) throw notFound('Certificate', uuid);
      return { meta: await test().identify(profile) } as never; // Only identifyCertificate is called.
    },
  }),
  facts: async (uuid) => ({
    uuid,
    name: 'Connector',
    url: test().connectorUrl,
    isBuiltIn: false,
    status: 'connected',
    functionGroups: [],
  }),
});

const profileOf = (name: string, facts: ProfileFacts): IssuingProfile => ({
  uuid: newUuid(), name, enabled: true, internal: false, authorityUuid: newUuid(), authorityName: `Authority of ${name}`, authorityConnectorUuid: newUuid(),
  connectorUuid: newUuid(), kind: 'Test', legacy: false, features: [], raProfileAttributes: [],
  validation: { enabled: facts.validationEnabled ?? null, frequency: null, expiringThreshold: facts.expiringThresholdDays ?? null },
  caCertificateUuid: facts.caCertificateUuid ?? null, approvalProfileUuid: null,
}); // prettier-ignore

/** Inserts the rows of a profile, its authority and its connector. */
async function insertProfile({ database, clock }: Platform, profile: IssuingProfile): Promise<void> {
  const { uuid, name, authorityUuid, connectorUuid, caCertificateUuid, validation } = profile;
  const at = clock.now();
  await database.query(
    `INSERT INTO connector (uuid, name, url, auth_type, status, created_at, updated_at)
     VALUES ($1, $2, $2, 'none', 'connected', $3, $3)`,
    [connectorUuid, `connector of ${name}`, at],
  );
  await database.query(
    `INSERT INTO authority (uuid, name, connector_uuid, connector_name, connector_authority_uuid, kind, status, created_at, updated_at)
     VALUES ($1, $2, $3, 'Connector', $4, 'Test', 'connected', $5, $5)`,
    [authorityUuid, profile.authorityName, connectorUuid, profile.authorityConnectorUuid, at],
  );
  await database.query(
    `INSERT INTO ra_profile (uuid, name, authority_uuid, enabled, ca_certificate_uuid, validation_enabled,
                             validation_expiring_threshold_days, created_at, updated_at)
     VALUES ($1, $2, $3, true, $4, $5, $6, $7, $7)`,
    [uuid, name, authorityUuid, caCertificateUuid, validation.enabled, validation.expiringThreshold, at],
  );
}
