// Creates the platform's areas from the lowest tier to the highest; each receives the platform and the lower areas that
// it depends on. This is the only file that references all areas, hence its length.
import type { TokenKeys } from '@signetry/connector-sdk';
import { createAttributesArea } from '../areas/attributes/index.ts';
import { createApprovalsArea, type Approvals } from '../areas/approvals/index.ts';
import { createAuditArea, type ExternalSinkSettings } from '../areas/audit/index.ts';
import { createAuthoritiesArea, type Authorities } from '../areas/authorities/index.ts';
import { createCallbacksArea, type CallbackParent, type Callbacks } from '../areas/callbacks/index.ts';
import { createCmpProfilesArea } from '../areas/cmp-profiles/index.ts';
import { createCatalogsArea } from '../areas/catalogues/index.ts';
import { createCertificatesArea, type WeakKeyLists } from '../areas/certificates/index.ts';
import { createChangeFeedArea } from '../areas/change-feed/index.ts';
import { createComplianceArea } from '../areas/compliance/index.ts';
import { createConnectorsArea } from '../areas/connectors/index.ts';
import { createCredentialsArea } from '../areas/credentials/index.ts';
import { createDerivedDataArea } from '../areas/derived-data/index.ts';
import { createGroupsArea } from '../areas/groups/index.ts';
import { createDiscoveriesArea } from '../areas/discoveries/index.ts';
import { createIdentityArea, type IdentityParts, type SignInSettings } from '../areas/identity/index.ts';
import { createInfoArea } from '../areas/info/index.ts';
import { createInventoryArea, type InventoryArea } from '../areas/inventory/index.ts';
import { createIssuingArea } from '../areas/issuing/index.ts';
import { createEntitiesArea, locationForm, type Entities } from '../areas/entities/index.ts';
import { createKeysArea, creationForms, type KeyUsers } from '../areas/keys/index.ts';
import { createKeyFilesArea } from '../areas/key-files/index.ts';
import { createKeysAtRestArea, type KeyFile } from '../areas/keys-at-rest/index.ts';
import { createNotificationsArea, type Notifications } from '../areas/notifications/index.ts';
import { createOidsArea } from '../areas/oids/index.ts';
import { createRaProfilesArea } from '../areas/ra-profiles/index.ts';
import { createEnrollmentsArea } from '../areas/enrollments/index.ts';
import { createEstProfilesArea } from '../areas/est-profiles/index.ts';
import { createExpiryArea, type Expiry } from '../areas/expiry/index.ts';
import { createRenewalsArea } from '../areas/renewals/index.ts';
import { createSchedulerArea, type SystemJob } from '../areas/scheduler/index.ts';
import { createRevocationArea, type Revocation } from '../areas/revocation/index.ts';
import { createSavedViewsArea, type SavedViews } from '../areas/saved-views/index.ts';
import { createScepProfilesArea } from '../areas/scep-profiles/index.ts';
import { createSettingsArea } from '../areas/settings/index.ts';
import { createSigningCertificatesArea } from '../areas/signing-certificates/index.ts';
import { createStatisticsArea } from '../areas/statistics/index.ts';
import { createTokensArea, profileForm, type TokenForm, type Tokens } from '../areas/tokens/index.ts';
import { createValidationArea, type ValidationArea } from '../areas/validation/index.ts';
import { createWorkflowsArea } from '../areas/workflows/index.ts';
import type { SealedColumn } from '../platform/crypto/sealed-column.ts';
import type { KeyRing } from '../platform/crypto/sealing.ts';
import type { Area, Platform, ValueHolders, RetentionPolicy } from '../platform/platform.ts';
import { createAcmeProtocol, type AcmeParts } from '../protocols/acme/index.ts';
import { createScepProtocol, type IntuneUrls, type ScepProtocol } from '../protocols/scep/index.ts';
import { createCmpProtocol } from '../protocols/cmp/index.ts';
import { createEstProtocol } from '../protocols/est/index.ts';
import { createAcmeProfilesArea } from '../areas/acme-profiles/index.ts';
import { createEndpoints } from './endpoints.ts';
import { workflowSubjects } from './workflow-subjects.ts';

export interface AreaOptions {
  readonly issueWaitMs: number;
  readonly discovery?: Parameters<typeof createDiscoveriesArea>[1]['limits'];
  /** Time zone for scheduled jobs. */
  readonly timeZone?: string | undefined;
  readonly weakKeys?: WeakKeyLists | undefined;
  readonly isReady: () => boolean;
  readonly acceptedClock?: Date | undefined;
  /** PKCS #11 libraries that connectors can load, by name. */
  readonly libraries?: Readonly<Record<string, string>> | undefined;
  /** Networks that discoveries can scan. */
  readonly discoveryNetworks?: readonly string[] | undefined;
  /** Directories that connectors can read, by name. */
  readonly readableDirectories?: Readonly<Record<string, string>> | undefined;
  /** Directories that connectors can modify, by name. */
  readonly directories?: Readonly<Record<string, string>> | undefined;
  /** Commands that reload server certificates, by name. */
  readonly reloadCommands?: Readonly<Record<string, string>> | undefined;
  readonly connectorSameKinds?: 'accept' | 'refuse' | undefined;
  /** Source of the sealing keys. If absent, e.g. in tests, they cannot be rotated. */
  readonly keys?: {
    readonly ring: KeyRing;
    readonly file: KeyFile;
    readonly columns: readonly SealedColumn[];
    readonly settleMs?: number | undefined;
  };
  readonly trustedProxies: readonly string[];
  readonly proxyCertificates: readonly string[];
  readonly signIn?: SignInSettings | undefined;
  readonly audit?: ExternalSinkSettings;
  readonly intuneAddresses: IntuneUrls;
  /** Scheme and host of SCEP URLs. */
  readonly scepBase: () => string;
  readonly acme: Pick<AcmeParts, 'directoryBase' | 'linkOrigin' | 'settings'>;
}

export type Areas = ReturnType<typeof createAreas>;

export function createAreas(platform: Platform, options: AreaOptions) {
  const objectNames = () => Object.assign({}, ...all.map((area) => area.objectNames));
  const belongings = () => Object.assign({}, ...all.map((area) => area.belongings));
  const valueHolders = () => Object.assign({}, ...all.map((area) => area.valueHolders));
  const policies = () => all.flatMap(({ retentionPolicies }) => retentionPolicies ?? []);
  const core = createCoreAreas(platform, { ...options, objectNames, belongings, valueHolders, policies });
  const { audit, identity, connectors, authorities, raProfiles } = core;
  const { certificates, validation, issuing, inventory } = core;
  const revocation = createRevocationArea(platform, {
    connectors,
    authorities,
    raProfiles,
    certificates: certificatesForRevocation(core),
  });
  const { directoryBase } = options.acme;
  const acmeProfiles = createAcmeProfilesArea(platform, { ...core, users: identity, directoryBase });
  const enrolling = createEnrollmentProtocols(platform, { ...core, ...revocation }, options);
  const acme = createAcmeProtocol(platform, {
    ...core,
    ...options.acme,
    acmeProfiles,
    enrollments: enrolling.enrollments,
    actor: () => identity.systemActor('acme'),
  });
  const compliance = createComplianceArea(platform, core);
  const entities = createLocationAreas(platform, core, options);
  const notifications = createNotificationsArea(platform, { ...core, belongings });
  const savedViews = createSavedViewsArea(platform, { audit });
  const automation = createAutomation(
    platform,
    { ...core, notifications, savedViews, scep: enrolling.scep },
    { ...options, objectNames },
  );
  const keysAtRest =
    options.keys &&
    createKeysAtRestArea(platform, {
      ...options.keys,
      audit,
      columns: () => [...(options.keys?.columns ?? []), ...all.flatMap((area) => area.sealedColumns?.() ?? [])],
    });
  const info = createInfoArea(platform, {
    isReady: () => options.isReady() && keysAtRest?.isComplete() !== false,
    findProblem: connectors.findBuiltInProblem,
  });

  const all: readonly Area[] = [
    ...core.all,
    revocation,
    acmeProfiles,
    acme,
    ...enrolling.all,
    createKeyFilesArea(platform, core),
    compliance,
    entities,
    notifications,
    createRenewalsArea(platform, { ...core, places: entities.renewing }),
    createStatisticsArea(platform, { audit }),
    ...automation,
    createChangeFeedArea(platform, { settings: core.settings, objectNames }),
    createDerivedDataArea(platform, { audit, kinds: () => all.flatMap(({ derivedData }) => derivedData ?? []) }),
    savedViews,
    info,
    createCatalogsArea({ ruleFields: () => Object.assign({}, ...all.map(({ ruleFields }) => ruleFields)) }),
    ...(keysAtRest ? [keysAtRest] : []),
  ];
  const issued = { certificates, validation, issuing, inventory };
  const shown = { all, audit, identity, connectors, authorities, raProfiles, ...issued };
  const { enrollments, scep } = enrolling;
  return { ...shown, revocation, acmeProfiles, acme, enrollments, scep, notifications };
}

/** Parts that are complete only after all areas have been created. */
type DeferredParts = Pick<IdentityParts, 'objectNames' | 'belongings'> & {
  readonly valueHolders: () => ValueHolders;
  readonly policies: () => readonly RetentionPolicy[];
};

/** Settings that the operator specifies for built-in connectors. */
const connectorSettings = ({
  acceptedClock,
  libraries,
  discoveryNetworks,
  readableDirectories,
  directories,
  reloadCommands,
  connectorSameKinds: sameKinds,
}: AreaOptions) => ({
  acceptedClock,
  libraries,
  discoveryNetworks,
  readableDirectories,
  directories,
  reloadCommands,
  sameKinds,
});

type CoreAreas = ReturnType<typeof createCoreAreas>;

/** Creates the areas up to the inventory, on which the other areas build. */
function createCoreAreas(platform: Platform, options: AreaOptions & DeferredParts) {
  const auditArea = createAuditArea(platform, options.audit);
  const audit = auditArea.trail;
  const settings = createSettingsArea(platform, { audit, policies: options.policies });
  const oids = createOidsArea(platform, { audit });
  const attributesArea = createAttributesArea(platform, { ...options, audit });
  const attributes = attributesArea.engine;
  // Identity is in a lower tier than certificates, and connectors in a lower tier than keys. They reach these through
  // ports that are connected here.
  const late: DeferredAreas = {};
  const identity = createIdentityArea(platform, {
    audit,
    attributes,
    trustedProxies: options.trustedProxies,
    proxyCertificates: options.proxyCertificates,
    signIn: options.signIn,
    userCertificates: () => requireCreated(late.inventory).userCertificates,
    objectNames: options.objectNames,
    belongings: options.belongings,
  });
  const approvals = createApprovalsArea(platform, { audit, users: identity });
  const groups = createGroupsArea(platform, { audit, attributes });
  const tokenKeys = deferredTokenKeys(late);
  const connectors = createConnectorsArea(platform, { audit, attributes, ...connectorSettings(options), tokenKeys });
  const { objectNames } = options;
  const credentials = createCredentialsArea(platform, { audit, attributes, connectors, objectNames });
  const callbacks = createCallbacksArea(platform, { attributes, connectors, credentials });
  const { tokens, keys } = createKeyAreas(platform, { audit, attributes, connectors, callbacks, users: identity });
  late.tokenKeys = keys.tokenKeys;
  const authorities = createAuthoritiesArea(platform, { audit, attributes, connectors });
  keys.registerUsers(signingAuthorities(authorities));
  callbacks.registerParent('raProfiles', { resource: 'authorities', source: raProfileSource(authorities) });
  const raProfiles = createRaProfilesArea(platform, { audit, attributes, connectors, authorities, approvals });
  const parts = {
    audit,
    attributes,
    settings,
    oids,
    users: identity,
    connectors,
    raProfiles,
    authorities,
    approvals,
    keys,
  };
  const ofCertificates = createCertificateAreas(platform, parts, options);
  late.inventory = ofCertificates.inventory;
  const all: readonly Area[] = [
    auditArea,
    settings,
    oids,
    attributesArea,
    identity,
    groups,
    approvals,
    connectors,
    credentials,
    callbacks,
    tokens,
    keys,
    authorities,
    raProfiles,
    ...Object.values(ofCertificates),
  ];
  const access = { audit, attributes, setValue: attributesArea.setValue, identity, approvals };
  return { all, ...access, settings, connectors, callbacks, tokens, keys, authorities, raProfiles, ...ofCertificates };
}

/** Creates the four certificate areas, starting with the lowest tier. */
function createCertificateAreas(
  platform: Platform,
  {
    settings,
    oids,
    ...areas
  }: Omit<Parameters<typeof createIssuingArea>[1], 'certificates' | 'issueWaitMs'> &
    Parameters<typeof createCertificatesArea>[1] &
    Omit<Parameters<typeof createValidationArea>[1], 'certificates'> &
    Omit<Parameters<typeof createInventoryArea>[1], 'certificates' | 'validation' | 'issuing'>,
  { issueWaitMs, weakKeys }: Pick<AreaOptions, 'issueWaitMs' | 'weakKeys'>,
) {
  const certificates = createCertificatesArea(platform, { ...areas, oids });
  const validation = createValidationArea(platform, { ...areas, settings, certificates });
  const issuing = createIssuingArea(platform, { ...areas, certificates, issueWaitMs, weakKeys });
  const inventory = createInventoryArea(platform, { ...areas, certificates, validation, issuing });
  return { certificates, validation, issuing, inventory };
}

/** Creates the protocols that have no accounts: CMP, SCEP and EST. */
function createEnrollmentProtocols(
  platform: Platform,
  core: CoreAreas & { readonly revocation: Revocation },
  { acme: { directoryBase }, trustedProxies, proxyCertificates, intuneAddresses, scepBase }: AreaOptions,
) {
  const enrollments = createEnrollmentsArea(platform, core);
  const signingCertificates = createSigningCertificatesArea(platform, core);
  const parts = { ...core, users: core.identity, directoryBase, signingCertificates };
  const enrolling = { ...parts, enrollments };
  const cmpProfiles = createCmpProfilesArea(platform, parts);
  const scepProfiles = createScepProfilesArea(platform, { ...parts, directoryBase: scepBase });
  const estProfiles = createEstProfilesArea(platform, { ...parts, urlBase: directoryBase });
  const scep = createScepProtocol(platform, {
    ...enrolling,
    scepProfiles,
    intuneAddresses,
    actor: () => core.identity.systemActor('scep'),
  });
  const all: readonly Area[] = [
    enrollments,
    signingCertificates,
    cmpProfiles,
    createCmpProtocol(platform, { ...enrolling, cmpProfiles, actor: () => core.identity.systemActor('cmp') }),
    scepProfiles,
    scep,
    estProfiles,
    createEstProtocol(platform, {
      ...enrolling,
      estProfiles,
      trustedProxies,
      proxyCertificates,
      actor: () => core.identity.systemActor('est'),
    }),
  ];
  return { all, enrollments, scep };
}

/** Creates entities and locations, with their form callbacks. */
function createLocationAreas(platform: Platform, core: CoreAreas, { discoveryNetworks }: AreaOptions) {
  const lookAtEndpoint = createEndpoints(platform.egress, discoveryNetworks);
  const entities = createEntitiesArea(platform, { ...core, lookAtEndpoint });
  core.callbacks.registerParent('locations', { resource: 'entities', source: locationSource(entities) });
  return entities;
}

function createScheduler(
  platform: Platform,
  parts: CoreAreas & Pick<AreaOptions, 'timeZone'> & { readonly expiry: Expiry; readonly scep: ScepProtocol },
) {
  const { audit, identity: users, timeZone, validation, approvals, expiry, scep } = parts;
  const scheduler = createSchedulerArea(platform, { audit, users, timeZone });
  scheduler.registerSystemJob(statusJob(validation, approvals, expiry));
  scheduler.registerSystemJob(intuneJob(scep));
  return scheduler;
}

/**
 * Background loops do this work when it falls due. This job repeats it hourly and on demand, and sends notifications
 * that can wait up to an hour.
 */
const statusJob = (
  { validateDue }: Pick<ValidationArea, 'validateDue'>,
  { expireOverdue }: Pick<Approvals, 'expireOverdue'>,
  { raiseExpiring }: Expiry,
): SystemJob => ({
  name: 'updateCertificateStatusJob',
  jobType: 'UpdateCertificateStatusTask',
  cronExpression: '0 0 * ? * *',
  runsAgain: true,
  run: async ({ context }) => {
    const validated = await validateDue(context.signal);
    const expired = await expireOverdue();
    const told = await raiseExpiring(context.signal);
    return `Certificates validated: ${validated}. Approvals expired: ${expired}. Certificates expiring soon: ${told}.`;
  },
});

/** Downloaded requests that have not been answered are downloaded again, so nothing is lost if a run crashes. */
const intuneJob = ({ revokeForIntune }: ScepProtocol): SystemJob => ({
  name: 'updateIntuneRevocationRequestsJob',
  jobType: 'UpdateIntuneRevocationRequestsTask',
  cronExpression: '0 30 * ? * *',
  runsAgain: true,
  run: ({ context }) => revokeForIntune(context),
});

/** Creates the automation areas: scheduled jobs, discoveries and the rules engine. */
function createAutomation(
  platform: Platform,
  core: CoreAreas & {
    readonly notifications: Notifications;
    readonly savedViews: SavedViews;
    readonly scep: ScepProtocol;
  },
  { objectNames, ...options }: AreaOptions & Pick<DeferredParts, 'objectNames'>,
): readonly Area[] {
  const { audit, attributes, identity, notifications } = core;
  const expiry = createExpiryArea(platform, core);
  const scheduler = createScheduler(platform, { ...core, expiry, timeZone: options.timeZone });
  const discoveries = createDiscoveriesArea(platform, { ...core, scheduler, limits: options.discovery });
  const workflows = createWorkflowsArea(platform, {
    audit,
    attributes,
    subjects: workflowSubjects({
      platform,
      certificates: core.certificates,
      inventory: core.inventory,
      discoveries,
      setValue: core.setValue,
      gatekeeper: identity.gatekeeper,
    }),
    users: identity,
    notifications: { findProfiles: notifications.findProfileNames, send: notifications.send },
    objectNames,
    findSavedSearch: core.savedViews.findSearch,
    findUsers: async (executor, uuids) =>
      (await identity.findUsernames(executor, uuids)).map(({ uuid, username: name }) => ({ uuid, name })),
  });
  notifications.registerUse({ what: 'execution', find: workflows.executionsOfNotificationProfile });
  discoveries.connectTriggers(workflows.triggersOfDiscoveries);
  return [expiry, scheduler, discoveries, workflows];
}

/** Creates tokens and their keys, with their form callbacks. */
function createKeyAreas(
  platform: Platform,
  areas: Parameters<typeof createTokensArea>[1] &
    Omit<Parameters<typeof createKeysArea>[1], 'tokens'> & { readonly callbacks: Callbacks },
) {
  const { callbacks } = areas;
  const tokens = createTokensArea(platform, areas);
  callbacks.registerParent('tokenProfiles', { resource: 'tokens', source: tokenProfileSource(tokens) });
  const keys = createKeysArea(platform, { ...areas, tokens });
  callbacks.registerParent('keys', { resource: 'tokenProfiles', source: keySource(tokens) });
  return { tokens, keys };
}

/** Higher areas that lower tiers reach through ports. */
interface DeferredAreas {
  inventory?: InventoryArea;
  tokenKeys?: TokenKeys;
}

/** Prevents the destruction of keys that authorities sign with. */
const signingAuthorities = ({ usersOfKeys }: Pick<Authorities, 'usersOfKeys'>): KeyUsers => ({
  resource: 'authorities',
  preventing: {
    why: 'authorities sign with it',
    help: 'Assign a different key to them, or remove them, first.',
    find: usersOfKeys.find,
  },
  ...usersOfKeys,
});

const deferredTokenKeys = (late: DeferredAreas): TokenKeys => ({
  find: (uuid) => requireCreated(late.tokenKeys).find(uuid),
  sign: (uuid, request) => requireCreated(late.tokenKeys).sign(uuid, request),
});

/** The authority's connector defines RA profile attributes. */
const raProfileSource =
  (authorities: ReturnType<typeof createAuthoritiesArea>): CallbackParent['source'] =>
  async (authorityUuid, { signal }) => {
    const { authority } = await authorities.reach(authorityUuid);
    return {
      connectorUuid: authority.connectorUuid,
      functionGroup: authority.isLegacy ? 'legacyAuthorityProvider' : 'authorityProvider',
      definitions: await authorities.raProfileDefinitions(authorityUuid, signal),
    };
  };

/** The entity's connector defines location attributes. */
const locationSource =
  (entities: Entities): CallbackParent['source'] =>
  async (entityUuid, { signal }) => {
    const { entity } = await entities.reach(entityUuid);
    return {
      connectorUuid: entity.connector_uuid,
      functionGroup: 'entityProvider',
      definitions: await entities.definitions(entityUuid, locationForm, signal),
    };
  };

/** The token's connector defines the attributes of token profiles and new keys. */
const tokenProfileSource =
  (tokens: Tokens): CallbackParent['source'] =>
  async (tokenUuid, { signal }) =>
    tokenForms(tokens, tokenUuid, { forms: [profileForm], signal });

const keySource =
  (tokens: Tokens): CallbackParent['source'] =>
  async (profileUuid, { signal }) => {
    const { token_uuid: tokenUuid } = await tokens.requireProfile({ profileUuid });
    return tokenForms(tokens, tokenUuid, { forms: Object.values(creationForms), signal });
  };

async function tokenForms(
  tokens: Tokens,
  tokenUuid: string,
  { forms, signal }: { readonly forms: readonly TokenForm[]; readonly signal: AbortSignal },
) {
  const { token } = await tokens.reach(tokenUuid);
  const definitions = await Promise.all(forms.map((form) => tokens.definitions(tokenUuid, form, signal)));
  return {
    connectorUuid: token.connectorUuid,
    functionGroup: 'cryptographyProvider' as const,
    definitions: definitions.flat(),
  };
}

const certificatesForRevocation = ({ certificates, issuing, raProfiles }: ReturnType<typeof createCoreAreas>) => ({
  find: certificates.find,
  findStatuses: certificates.findStatuses,
  issue: issuing.issueForPlatform,
  caCertificatesOf: async (authorityUuid: string) => {
    const uuids = await raProfiles.caCertificateUuids(authorityUuid);
    const found = await Promise.all(uuids.map(async (uuid) => ({ uuid, der: (await certificates.find(uuid))?.der })));
    return found.flatMap(({ uuid, der }) => (der ? [{ uuid, der }] : []));
  },
});

function requireCreated<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('An area was used before all areas were created.');
  return value;
}
