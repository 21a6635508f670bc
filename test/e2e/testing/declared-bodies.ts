// A request body for every operation that accepts one, naming existing objects. The file is long because it is a table.
import { randomUUID } from 'node:crypto';
import type { platformOperations } from '@signetry/contract';
import { inPlaceKeyAttributes, hostAttributes, storeAttributes } from './declared-infrastructure.ts';
import {
  CHECK,
  CMP_PROFILE,
  CUSTOM_ATTRIBUTE,
  executionOf,
  NO_ATTRIBUTES,
  OID,
  OID_ENTRY,
  RULE,
  type Objects,
} from './declared-objects.ts';
import { roomAttributes, NOTIFIER_KIND } from './notifier.ts';
import { KEY_STORE_KIND } from './store-provider.ts';
import { ACTIVATION_CODE, keyAttributes, secretValue, textValue } from './tokens.ts';

type Key = keyof typeof platformOperations;
type Bodies = Partial<Readonly<Record<Key, unknown>>>;

export const bodiesOf = (objects: Objects): Bodies => ({
  ...bodiesOfConnectors(objects),
  ...bodiesOfAcme(objects),
  ...bodiesOfCmp(objects),
  ...bodiesOfScep(objects),
  ...bodiesOfEst(objects),
  ...bodiesOfCertificates(objects),
  ...bodiesOfEndEntities(objects),
  ...bodiesOfUsers(objects),
  ...bodiesOfAttributes(objects),
  ...bodiesOfSettings(objects),
  ...bodiesOfWorkflows(objects),
  ...bodiesOfApprovals(objects),
  ...bodiesOfCompliance(objects),
  ...bodiesOfTokens(objects),
  ...bodiesOfKeys(objects),
  ...otherBodies(objects),
  ...bodiesOfInfrastructure(objects),
  ...bodiesOfNotifications(objects),
});

/** Ignored if there is a CSR, but permission to use it is still required. */
const NAMED_KEY = { keyUuid: randomUUID(), tokenProfileUuid: randomUUID() };

const ABSENT = { url: 'http://127.0.0.1:1', authType: 'none' } as const;

const bodiesOfConnectors = ({ path, connectorUuid, credentialsUuid, credentialUuid, token }: Objects): Bodies => ({
  createConnector: { name: 'absent', ...ABSENT },
  editConnector: {},
  connectConnector: { ...ABSENT, uuid: connectorUuid },
  bulkDeleteConnector: [connectorUuid],
  listConnectorsV2: {},
  createConnectorV2: { name: 'absent', version: 'v1', ...ABSENT },
  editConnectorV2: {},
  connectV2: { ...ABSENT, uuid: connectorUuid },
  bulkDeleteConnectorV2: [connectorUuid],
  bulkForceDeleteConnectorV2: [connectorUuid],
  bulkReconnectV2: [connectorUuid],
  bulkApproveV2: [connectorUuid],
  forceDeleteConnector: [connectorUuid],
  bulkReconnectConnector: [connectorUuid],
  bulkApproveConnector: [connectorUuid],
  registerConnector: { name: 'announced', ...ABSENT },
  validateConnectorAttributes: [],
  validateBasicAuthAttributes: [],
  validateCertificateAuthAttributes: [],
  validateApiKeyAuthAttributes: [],
  validateJWTAuthAttributes: [],
  createAuthorityInstance: { name: 'third', kind: 'SoftwareCA', attributes: [], connectorUuid },
  connectorCallback: { name: 'group_source', pathVariable: { source: 'root' } },
  // This attribute has no callback: the response is 422.
  resourceCallback: { name: 'data_validityDays' },
  createCredential: { name: 'second', kind: 'BearerToken', attributes: [token], connectorUuid: credentialsUuid },
  editCredential: { attributes: [token] },
  bulkDeleteCredential: [credentialUuid],
  editAuthorityInstance: { attributes: [] },
  bulkDeleteAuthorityInstance: [path.authorityUuid],
  forceDeleteAuthorityInstances: [path.authorityUuid],
  validateRAProfileAttributes: [],
  createRaProfile: { name: 'third', attributes: [] },
  editRaProfile: { attributes: [] },
  bulkDeleteRaProfile: [path.raProfileUuid],
  bulkEnableRaProfile: [path.raProfileUuid],
  bulkDisableRaProfile: [randomUUID()],
  updateRaProfileValidationConfiguration: {},
});

function bodiesOfEst({ path, groupUuid, userUuid, certificateUuid, estProfileUuid }: Objects): Bodies {
  const profile = {
    raProfileUuid: path.raProfileUuid,
    certificateAssociations: { ownerUuid: userUuid, groupUuids: [groupUuid] },
    trustedCertificateUuids: [certificateUuid],
  };
  return {
    createEstProfile: { name: 'second', ...profile },
    editEstProfile: profile,
    bulkDeleteEstProfiles: [estProfileUuid],
    bulkEnableEstProfiles: [estProfileUuid],
    bulkDisableEstProfiles: [estProfileUuid],
    activateEstForRaProfile: {},
  };
}

function bodiesOfAcme({ path, groupUuid, userUuid, acmeProfileUuid, acmeAccountUuid }: Objects): Bodies {
  const associations = { certificateAssociations: { ownerUuid: userUuid, groupUuids: [groupUuid] } };
  const acmeProfile = { ...NO_ATTRIBUTES, ...associations, raProfileUuid: path.raProfileUuid };
  return {
    activateAcmeForRaProfile: NO_ATTRIBUTES,
    createAcmeProfile: { name: 'second', ...acmeProfile },
    editAcmeProfile: acmeProfile,
    bulkDeleteAcmeProfile: [acmeProfileUuid],
    forceDeleteACMEProfiles: [acmeProfileUuid],
    bulkEnableAcmeProfile: [acmeProfileUuid],
    bulkDisableAcmeProfile: [acmeProfileUuid],
    bulkRevokeAcmeAccount: [acmeAccountUuid],
    bulkEnableAcmeAccount: [acmeAccountUuid],
    bulkDisableAcmeAccount: [acmeAccountUuid],
    createAcmeEabKey: {},
    createEnrollmentSecret: { protocol: 'est' },
  };
}

function bodiesOfScep({ path, groupUuid, userUuid, scepProfileUuid, scepCertificateUuid }: Objects): Bodies {
  const associations = { certificateAssociations: { ownerUuid: userUuid, groupUuids: [groupUuid] } };
  const { raProfileUuid } = path;
  const scepProfile = { ...associations, raProfileUuid, caCertificateUuid: scepCertificateUuid };
  return {
    activateScepForRaProfile: { issueCertificateAttributes: [] },
    createScepProfile: { name: 'second', ...scepProfile, issueCertificateAttributes: [] },
    editScepProfile: scepProfile,
    ensureScepRaCertificate: { raProfileUuid },
    bulkDeleteScepProfile: [scepProfileUuid],
    forceDeleteScepProfiles: [scepProfileUuid],
    bulkEnableScepProfile: [scepProfileUuid],
    bulkDisableScepProfile: [scepProfileUuid],
  };
}

const bodiesOfCmp = ({ path, groupUuid, userUuid, cmpProfileUuid, scepCertificateUuid }: Objects): Bodies => {
  const profile = {
    ...CMP_PROFILE,
    raProfileUuid: path.raProfileUuid,
    certificateAssociations: { ownerUuid: userUuid, groupUuids: [groupUuid] },
    signingCertificateUuid: scepCertificateUuid,
  };
  return {
    activateCmpForRaProfile: NO_ATTRIBUTES,
    createCmpProfile: { ...profile, name: 'second' },
    editCmpProfile: profile,
    bulkDeleteCmpProfile: [cmpProfileUuid],
    forceDeleteCmpProfiles: [cmpProfileUuid],
    bulkEnableCmpProfile: [cmpProfileUuid],
    bulkDisableCmpProfile: [cmpProfileUuid],
  };
};

const bodiesOfCertificates = ({ path, groupUuid, userUuid, certificateUuid, requests }: Objects): Bodies => ({
  listCertificates: {},
  importCertificates: { files: [{ content: 'none' }] },
  exportCertificateWithKey: { passphrase: 'a long passphrase' },
  bulkUpdateCertificateObjects: {
    certificateUuids: [certificateUuid],
    raProfileUuid: path.raProfileUuid,
    groupUuids: [groupUuid],
    ownerUuid: userUuid,
  },
  updateManyCertificates: {
    certificateUuids: [certificateUuid],
    raProfileUuid: path.raProfileUuid,
    groupUuids: [groupUuid],
    ownerUuid: userUuid,
  },
  archiveManyCertificates: { certificateUuids: [certificateUuid] },
  unarchiveManyCertificates: { certificateUuids: [certificateUuid] },
  deleteManyCertificates: { certificateUuids: [certificateUuid] },
  bulkArchiveCertificate: [certificateUuid],
  bulkUnarchiveCertificate: [certificateUuid],
  getCertificateContent: [certificateUuid],
  submitCertificateRequest: {
    request: requests.submit,
    format: 'pkcs10',
    issueAttributes: [],
    csrAttributes: [],
    signatureAttributes: [],
    raProfileUuid: path.raProfileUuid,
    ...NAMED_KEY,
  },
  uploadCertificate: { certificate: 'none', customAttributes: [] },
  updateCertificateObjects: {
    raProfileUuid: path.raProfileUuid,
    groupUuids: [groupUuid],
    ownerUuid: userUuid,
  },
  bulkDeleteCertificate: { uuids: [certificateUuid] },
  validateIssueCertificateAttributes: [],
  issueCertificate: { request: requests.issue, attributes: [], ...NAMED_KEY },
  renewCertificate: {},
  rekeyCertificate: { request: requests.rekey, ...NAMED_KEY },
  validateRevokeCertificateAttributes: [],
  revokeCertificate: { reason: 'unspecified', attributes: [] },
  declareCertificateNotIssued: { reason: 'asked by telephone' },
  searchCertificates: {},
  exportCertificates: {},
});

const bodiesOfTokens = ({ keys }: Objects): Bodies => ({
  createTokenInstance: { ...TOKEN, connectorUuid: keys.providerUuid },
  updateTokenInstance: { ...TOKEN, connectorUuid: keys.providerUuid },
  bulkDeleteTokenInstance: [keys.tokenInstanceUuid],
  activateTokenInstance: TOKEN.attributes,
  createTokenProfile: { name: 'second', attributes: [] },
  editTokenProfile: { attributes: [] },
  bulkDeleteTokenProfiles: [keys.tokenProfileUuid],
  enableTokenProfiles: [keys.tokenProfileUuid],
  disableTokenProfiles: [keys.tokenProfileUuid],
  updateTokenProfileUsages: { usage: ['sign'] },
  bulkUpdateTokenProfileUsages: { usage: ['sign'], uuids: [keys.tokenProfileUuid] },
});

const TOKEN = {
  name: 'second',
  kind: 'SOFT',
  customAttributes: [],
  attributes: [secretValue('data_activationCode', ACTIVATION_CODE)],
} as const;

function bodiesOfKeys({ groupUuid, userUuid, keys }: Objects): Bodies {
  const { keyUuid, privateItemUuid, tokenProfileUuid } = keys;
  const items = [privateItemUuid];
  const signed = { signatureAttributes: [textValue('data_sigDigest', 'SHA-256')], data: [{ data: 'AA==' }] };
  const ciphered = { cipherAttributes: [], cipherData: [{ data: 'AA==' }] };
  const compromised = { reason: 'disclosure' };
  const names = { name: 'matrix', description: '', groupUuids: [groupUuid] };
  return {
    listKeys: {},
    createKey: { ...names, name: 'second', attributes: keyAttributes('second', 'P-256') },
    editKey: { ...names, tokenProfileUuid, ownerUuid: userUuid },
    editKeyItem: { name: 'matrix' },
    // Not a PKCS #12 file: the response is 422.
    importKeyFile: { name: 'imported', content: 'AA==', groupUuids: [groupUuid] },
    ...Object.fromEntries(
      (['enableKey', 'disableKey', 'destroyKey', 'deleteKey'] as const).flatMap((one) => [
        [one, items],
        [`${one}WithToken`, items],
        [`${one}s`, [keyUuid]],
        [`${one}Items`, items],
      ]),
    ),
    updateKeyUsages: { usage: ['sign'], uuids: items },
    updateKeyUsagesWithToken: { usage: ['sign'], uuids: items },
    updateKeysUsages: { usage: ['sign'], uuids: [keyUuid] },
    updateKeyItemUsages: { usage: ['sign'], uuids: items },
    compromiseKey: compromised,
    compromiseKeyWithToken: compromised,
    compromiseKeys: { ...compromised, uuids: [keyUuid] },
    compromiseKeyItems: { ...compromised, uuids: items },
    signData: signed,
    verifyData: { ...signed, signatures: [{ data: 'AA==' }] },
    encryptData: ciphered,
    decryptData: ciphered,
    randomData: { length: 8 },
  };
}

const bodiesOfEndEntities = ({ username, requests }: Objects): Bodies => ({
  issueLegacyCertificate: { username, password: 'once', pkcs10: requests.enroll },
  revokeLegacyCertificate: { certificateSN: '01', issuerDN: 'CN=Legacy matrix CA', reason: 'unspecified' },
  addEndEntity: { username: 'second', password: 'once', subjectDN: 'CN=second' },
  editEndEntity: { password: 'once', subjectDN: 'CN=matrix', status: 'NEW' },
});

function bodiesOfUsers({ groupUuid, userUuid, roleUuid, certificateOfUser }: Objects): Bodies {
  const person = { groupUuids: [groupUuid], certificateUuid: certificateOfUser };
  return {
    createUser: { username: 'second', ...person },
    updateUser: { email: 'matrix@example.com', ...person },
    identifyUser: { authenticationToken: 'none' },
    updateUserRoles: [roleUuid],
    createRole: { name: 'second' },
    updateRole: { name: 'matrix' },
    updateRoleUsers: [userUuid],
    saveRolePermissions: { allowAllResources: false, resources: [] },
    addResourcePermissionObjects: [],
    updateResourcePermissionObject: { uuid: groupUuid, name: 'matrix' },
    updateUserProfile: { email: 'limited@example.com', certificateUuid: certificateOfUser },
    addAdmin: { username: 'nobody' },
    createAccessToken: { name: 'another', scope: { roleUuid } },
    registerPasskey: { name: 'matrix', credential: NO_PASSKEY },
    renamePasskey: { name: 'matrix' },
  };
}

/** Has the form of a passkey, but no content. */
const NO_PASSKEY = {
  id: '',
  rawId: '',
  type: 'public-key',
  response: { clientDataJSON: '', attestationObject: '' },
} as const;

const bodiesOfAttributes = ({ customAttributeUuid, globalMetadataUuid, connectorUuid }: Objects): Bodies => ({
  createCustomAttribute: { ...CUSTOM_ATTRIBUTE, name: 'second' },
  editCustomAttribute: { label: 'Matrix' },
  updateResources: ['groups', 'users'],
  bulkDeleteCustomAttributes: [customAttributeUuid],
  bulkEnableCustomAttributes: [customAttributeUuid],
  bulkDisableCustomAttributes: [randomUUID()],
  updateAttributeContentForResource: [{ data: 'value' }],
  createGlobalMetadata: { name: 'second', contentType: 'string', label: 'Second' },
  editGlobalMetadata: { label: 'Matrix' },
  bulkDeleteGlobalMetadata: [globalMetadataUuid],
  promoteConnectorMetadata: { uuid: globalMetadataUuid, connectorUuid },
});

const bodiesOfSettings = ({ workflows: { triggerUuid } }: Objects): Bodies => {
  const logged = { logAllModules: true, logAllResources: true };
  return {
    updatePlatformSettings: { utils: { utilsServiceUrl: 'https://utils.example' } },
    updateEventsSettings: { eventsMapping: { certificate_expiring: [triggerUuid] } },
    updateEventSettings: { event: 'certificate_expiring', triggerUuids: [triggerUuid] },
    updateLoggingSettings: { auditLogs: { ...logged, output: 'DATABASE' }, eventLogs: logged },
    updateAuthenticationSettings: { disableLocalhostUser: false },
    // Without keys: the response is 422.
    updateOAuth2ProviderSettings: { issuerUrl: 'https://id.example' },
    updateProviderProvisioning: {
      createUnknownUsers: false,
      createUnknownRoles: false,
      syncPolicy: 'create-only',
      grantedRoleUuids: [],
    },
    linkExternalIdentity: { providerName: 'matrix', subject: 'somebody' },
  };
};

function bodiesOfWorkflows({ path, groupUuid, workflows }: Objects): Bodies {
  const { conditionUuid, executionUuid, ruleUuid, actionUuid, triggerUuid } = workflows;
  const certificates = { name: 'matrix', resource: 'certificates' } as const;
  const conditionsUuids = [conditionUuid];
  const executionsUuids = [executionUuid];
  const trigger = {
    resource: 'certificates',
    ignoreTrigger: false,
    rulesUuids: [ruleUuid],
    actionsUuids: [actionUuid],
  };
  const event = 'certificate_expiring';
  return {
    createCondition: { ...certificates, ...CHECK },
    updateCondition: CHECK,
    createRule: { ...certificates, conditionsUuids },
    updateRule: { conditionsUuids },
    createExecution: { ...certificates, ...executionOf(groupUuid) },
    updateExecution: executionOf(groupUuid),
    createAction: { ...certificates, executionsUuids },
    updateAction: { executionsUuids },
    createTrigger: { ...trigger, name: 'matrix' },
    updateTrigger: trigger,
    associateEventTriggers: {
      event,
      resource: 'raProfiles',
      objectUuid: path.raProfileUuid,
      triggerUuids: [triggerUuid],
    },
  };
}

function bodiesOfCompliance({ path, certificateUuid, connectorUuid, compliance }: Objects): Bodies {
  const { profileUuid, internalRuleUuid } = compliance;
  const ofProvider = { connectorUuid, kind: 'none' };
  const raProfiles = { raProfileUuids: [path.raProfileUuid] };
  return {
    createComplianceProfile: { name: 'second' },
    bulkDeleteComplianceProfiles: [profileUuid],
    forceDeleteComplianceProfiles: [profileUuid],
    // The connector does not check compliance: the response is 422, or 404 if the profile has none of its rules.
    addRule: { ...ofProvider, ruleUuid: internalRuleUuid },
    removeRule: { ...ofProvider, ruleUuid: internalRuleUuid },
    addGroup: { ...ofProvider, groupUuid: internalRuleUuid },
    removeGroup: { ...ofProvider, groupUuid: internalRuleUuid },
    associateProfiles: raProfiles,
    disassociateProfiles: raProfiles,
    checkCompliance: [profileUuid],
    checkRaProfileCompliance: [path.raProfileUuid],
    checkCertificatesCompliance: { certificateUuids: [certificateUuid] },
    createComplianceProfileV2: { name: 'third' },
    updateComplianceProfileV2: {},
    bulkDeleteComplianceProfilesV2: [profileUuid],
    forceDeleteComplianceProfilesV2: [profileUuid],
    patchComplianceProfileRulesV2: { removal: false, ruleUuid: internalRuleUuid },
    patchComplianceProfileGroupsV2: { ...ofProvider, removal: true, groupUuid: internalRuleUuid },
    createComplianceInternalRuleV2: { name: 'second', ...RULE },
    updateComplianceInternalRuleV2: { name: 'matrix', ...RULE },
    checkComplianceV2: [profileUuid],
    checkResourceObjectsComplianceV2: [certificateUuid],
  };
}

function bodiesOfApprovals({ userUuid, roleUuid, groupUuid }: Objects): Bodies {
  const approvalSteps = [{ userUuid }, { roleUuid }, { groupUuid }].map((step, order) => ({ ...step, order }));
  return {
    createApprovalProfile: { name: 'second', enabled: true, approvalSteps },
    editApprovalProfile: { approvalSteps },
    approveApprovalRecipient: {},
    rejectApprovalRecipient: {},
  };
}

/** Schedule of jobs in tests, never due while the tests run. */
const yearly = { cronExpression: '0 0 0 1 1 ?' };

const bodiesOfInfrastructure = ({
  estate: { shelvesUuid, discoveryUuid, scan },
  workflows: { triggerUuid },
  path,
}: Objects): Bodies => ({
  listEntityInstances: {},
  createEntityInstance: {
    name: 'second',
    connectorUuid: shelvesUuid,
    kind: KEY_STORE_KIND,
    attributes: hostAttributes,
  },
  editEntityInstance: { attributes: hostAttributes },
  validateLocationAttributes: storeAttributes('second'),
  listLocations: {},
  addLocation: { name: 'second', attributes: storeAttributes('second'), enabled: true },
  editLocation: { attributes: storeAttributes('matrix') },
  pushCertificate: { attributes: [] },
  setLocationProbe: { host: '127.0.0.1', port: 1 },
  setAutomaticRenewal: { automatic: false },
  setRenewalLimit: { perHour: 10 },
  setRenewalSettings: { paused: false },
  simulateRenewals: { lifetimeDays: 47 },
  setExpiryThresholds: { days: [30, 7] },
  setRaProfileExpiryThresholds: { days: [30, 7] },
  setGroupExpiryThresholds: { days: [30, 7] },
  issueCertificateToLocation: {
    raProfileUuid: path.raProfileUuid,
    csrAttributes: inPlaceKeyAttributes,
    issueAttributes: [],
  },
  listDiscoveries: {},
  createDiscovery: { name: 'second', ...scan, triggers: [triggerUuid] },
  bulkDeleteDiscovery: [discoveryUuid],
  scheduleDiscovery: { ...yearly, jobName: 'second', request: { name: 'scheduled', ...scan, triggers: [triggerUuid] } },
  updateScheduledJob: yearly,
  explainCronExpression: yearly,
});

const bodiesOfNotifications = ({ estate: { notifierUuid, ofResource }, userUuid }: Objects): Bodies => {
  const { notificationInstances: notificationInstanceUuid } = ofResource;
  const profile = { recipientType: 'user', recipientUuids: [userUuid], internalNotification: true };
  return {
    tryWorkflow: { resource: 'certificates', conditions: [] },
    bulkMarkNotificationAsRead: [randomUUID()],
    bulkDeleteNotification: [randomUUID()],
    createNotificationInstance: {
      name: 'second',
      connectorUuid: notifierUuid,
      kind: NOTIFIER_KIND,
      attributes: roomAttributes,
    },
    editNotificationInstance: { attributes: roomAttributes },
    createNotificationProfile: { name: 'second', ...profile, notificationInstanceUuid },
    editNotificationProfile: profile,
    testNotificationInstance: { userUuid },
    previewNotification: { event: 'certificate_expiring', userUuid },
    setRetentionSettings: {
      eventsKeptDays: 30,
      evaluationsKeptDays: 90,
      deliveriesKeptDays: 30,
      notificationsKeptDays: 365,
      jobRunsKeptDays: 90,
      requestsKeptDays: 90,
      discoveriesKeptDays: null,
      certificateHistoryKeptDays: null,
      keyEventsKeptDays: null,
      auditRecordsKeptDays: null,
    },
  };
};

const otherBodies = ({ groupUuid, certificateUuid }: Objects): Bodies => ({
  verifyAuditLog: {},
  checkDerivedData: {},
  createCustomOidEntry: { ...OID_ENTRY, oid: '1.3.6.1.4.1.99999.2' },
  listCustomOidEntries: {},
  editCustomOidEntry: OID_ENTRY,
  bulkDeleteCustomOidEntry: [OID],
  // No node has this key.
  rotateKeysAtRest: { keyId: '00000000' },
  createGroup: { name: 'second' },
  editGroup: { name: 'matrix' },
  bulkDeleteGroup: [groupUuid],
  listAuditLogs: {},
  exportAuditLogs: [],
  exportAuditLogLines: [],
  updateAuditReadsSettings: { allResources: false },
  purgeAuditLogs: [],
  createSavedView: { resource: 'certificates', name: 'second', search: {} },
  updateSavedView: { name: 'matrix', search: {} },
  requestEarlyRenewal: { certificateUuids: [certificateUuid] },
});
