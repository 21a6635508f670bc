// A body of every operation that takes one, naming objects that exist.
import { randomUUID } from 'node:crypto';
import type { platformOperations } from '@signetry/contract';
import { CUSTOM_ATTRIBUTE, NO_ATTRIBUTES, OID, OID_ENTRY, type Objects } from './declared-objects.ts';

type Key = keyof typeof platformOperations;
type Bodies = Partial<Readonly<Record<Key, unknown>>>;

export const bodiesOf = (objects: Objects): Bodies => ({
  ...bodiesOfConnectors(objects),
  ...bodiesOfAcme(objects),
  ...bodiesOfCertificates(objects),
  ...bodiesOfEndEntities(objects),
  ...bodiesOfUsers(objects),
  ...bodiesOfAttributes(objects),
  ...bodiesOfSettings(),
  ...bodiesOfApprovals(objects),
  ...bodiesOfTheRest(objects),
});

/** Not used where there is a request, but the rights to it are asked for. */
const NAMED_KEY = { keyUuid: randomUUID(), tokenProfileUuid: randomUUID() };

const ABSENT = { url: 'http://127.0.0.1:1', authType: 'none' } as const;

const bodiesOfConnectors = ({ path, connectorUuid, credentialsUuid, credentialUuid, token }: Objects): Bodies => ({
  createConnector: { name: 'absent', ...ABSENT },
  editConnector: {},
  connectConnector: { ...ABSENT, uuid: connectorUuid },
  bulkDeleteConnector: [connectorUuid],
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
  // An attribute without one: the answer is 422.
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
  };
}

const bodiesOfCertificates = ({ path, groupUuid, userUuid, certificateUuid, requests }: Objects): Bodies => ({
  listCertificates: {},
  importCertificates: { files: [{ content: 'none' }] },
  bulkUpdateCertificateObjects: {
    certificateUuids: [certificateUuid],
    raProfileUuid: path.raProfileUuid,
    groupUuids: [groupUuid],
    ownerUuid: userUuid,
  },
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

const bodiesOfEndEntities = ({ username, requests }: Objects): Bodies => ({
  issueLegacyCertificate: { username, password: 'once', pkcs10: requests.enrol },
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

/** In the form of one; what it holds is nothing. */
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

const bodiesOfSettings = (): Bodies => {
  const logged = { logAllModules: true, logAllResources: true };
  return {
    updatePlatformSettings: { utils: { utilsServiceUrl: 'https://utils.example' } },
    updateEventsSettings: { eventsMapping: {} },
    updateEventSettings: { event: 'approval_closed', triggerUuids: [] },
    updateLoggingSettings: { auditLogs: { ...logged, output: 'DATABASE' }, eventLogs: logged },
    updateAuthenticationSettings: { disableLocalhostUser: false },
    // Without keys: the answer is 422.
    updateOAuth2ProviderSettings: { issuerUrl: 'https://id.example' },
    updateProviderProvisioning: {
      createUnknownUsers: false,
      createUnknownRoles: false,
      syncPolicy: 'create-only',
      allowSystemRoles: false,
    },
    linkExternalIdentity: { providerName: 'matrix', subject: 'somebody' },
  };
};

function bodiesOfApprovals({ userUuid, roleUuid, groupUuid }: Objects): Bodies {
  const approvalSteps = [{ userUuid }, { roleUuid }, { groupUuid }].map((step, order) => ({ ...step, order }));
  return {
    createApprovalProfile: { name: 'second', enabled: true, approvalSteps },
    editApprovalProfile: { approvalSteps },
    approveApprovalRecipient: {},
    rejectApprovalRecipient: {},
  };
}

const bodiesOfTheRest = ({ groupUuid, certificateUuid }: Objects): Bodies => ({
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
  askForEarlyRenewal: { certificateUuids: [certificateUuid] },
});
