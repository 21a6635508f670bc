// A call of every operation with existing objects: everything that a path and a body may name is named.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { platformOperations, type Operation, type ResourceOrParameter } from '@signetry/contract';
import { createAcmeTestClient, type TestServer } from '@signetry/testkit';
import { expect } from 'vitest';
import { issue } from './certificates.ts';
import { addEndEntity, createLegacyAuthority } from './legacy-authorities.ts';
import { createAuthority } from './profiles.ts';
import { makeRequest } from './requests.ts';

type Key = keyof typeof platformOperations;
type Objects = Awaited<ReturnType<typeof makeObjects>>;

export interface Call {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export type CallMaker = Awaited<ReturnType<typeof createCallMaker>>;

export async function createCallMaker(server: TestServer) {
  const objects = await makeObjects(server);
  const bodies = bodiesOf(objects);
  return function call(key: Key): Call {
    const operation: Operation = platformOperations[key];
    const names = Object.keys(operation.params?.shape ?? {});
    const params = Object.fromEntries(names.map((name) => [name, valueOf(name, { operation, objects })]));
    const query = operation.query && 'encoding' in operation.query.shape ? { encoding: 'pem' } : {};
    if (operation.body && !(key in bodies)) expect.fail(`${key} takes a body, and this file has none for it`);
    return { params, query, body: bodies[key] };
  };
}

function valueOf(name: string, { operation, objects }: { operation: Operation; objects: Objects }): unknown {
  if (name !== 'uuid') return objects.named[name] ?? expect.fail(`the parameter ${name} is new to this file`);
  const { access, path } = operation;
  if (path.includes('/attributes/metadata/')) return objects.globalMetadataUuid;
  const resource = typeof access === 'object' ? access.resource : undefined;
  return (resource && objects.ofResource[resource]) ?? objects.tokenUuid;
}

/** Everything that an operation may name, made by an administrator. */
async function makeObjects(server: TestServer) {
  const { client } = server;
  const path = await createAuthority(client, { name: 'Matrix CA' });
  const authority = await client.authorities.getAuthorityInstance({ params: { uuid: path.authorityUuid } });
  const connectorUuid = authority.connectorUuid ?? '';
  const certificate = await issue(client, path, await makeRequest({ subject: 'CN=matrix.example' }));
  const forUser = await issue(client, path, await makeRequest({ subject: 'CN=for-a-user.example' }));
  const { legacy, username } = await makeEndEntity(client);
  const { uuid: groupUuid } = await client.groups.createGroup({ body: { name: 'matrix' } });
  const { uuid: userUuid } = await client.users.createUser({ body: { username: 'matrix' } });
  const { uuid: roleUuid } = await client.roles.createRole({ body: { name: 'matrix' } });
  const acmeProfileUuid = await makeAcmeProfile(client, path.raProfileUuid);
  const { uuid: keyUuid } = await client.acmeEabKeys.createAcmeEabKey({ params: { uuid: acmeProfileUuid }, body: {} });
  const acmeAccountUuid = await acmeAccount(server, acmeProfileUuid);
  const { uuid: tokenUuid } = await client.accessTokens.createAccessToken({ body: { name: 'matrix' } });
  const { customAttributeUuid, globalMetadataUuid } = await definedAttributes(server);
  const { credentialsUuid, credentialUuid, token } = await makeCredential(client);
  const groups = (await client.auth.getAuthResources()).find(({ name }) => name === 'groups');
  return {
    path,
    connectorUuid,
    credentialsUuid,
    credentialUuid,
    token,
    certificateUuid: certificate.uuid,
    certificateOfUser: forUser.uuid,
    groupUuid,
    userUuid,
    roleUuid,
    acmeProfileUuid,
    acmeAccountUuid,
    tokenUuid,
    customAttributeUuid,
    globalMetadataUuid,
    username,
    requests: await makeRequests(),
    named: {
      ...path,
      raProfileName: legacy.raProfileName,
      username,
      certificateUuid: certificate.uuid,
      userUuid,
      roleUuid,
      acmeProfileUuid,
      acmeAccountUuid,
      keyUuid,
      resourceUuid: groups?.uuid,
      resourceName: 'groups',
      attributeUuid: customAttributeUuid,
      objectUuid: groupUuid,
      resource: 'raProfiles',
      parentObjectUuid: path.authorityUuid,
      endEntityProfileId: 1,
      functionGroup: 'authorityProvider',
      kind: 'SoftwareCA',
      certificateFormat: 'raw',
    } as Readonly<Record<string, unknown>>,
    ofResource: {
      groups: groupUuid,
      attributes: customAttributeUuid,
      connectors: connectorUuid,
      credentials: credentialUuid,
      authorities: path.authorityUuid,
      certificates: certificate.uuid,
      acmeProfiles: acmeProfileUuid,
      acmeAccounts: acmeProfileUuid,
    } as Partial<Readonly<Record<ResourceOrParameter, string>>>,
  };
}

async function makeRequests() {
  const pemFor = async (subject: string): Promise<string> => (await makeRequest({ subject })).pem;
  return {
    issue: await pemFor('CN=issued.matrix.example'),
    rekey: await pemFor('CN=matrix.example'),
    submit: await pemFor('CN=submitted.matrix.example'),
    enrol: await pemFor('CN=enrolled.matrix.example'),
  };
}

async function makeEndEntity(client: TestServer['client']) {
  const legacy = await createLegacyAuthority(client, { name: 'Legacy matrix CA' });
  const username = 'matrix-entity';
  await addEndEntity(client, legacy, username);
  return { legacy, username };
}

async function makeAcmeProfile({ acmeProfiles }: TestServer['client'], raProfileUuid: string): Promise<string> {
  const body = { name: 'matrix', ...NO_ATTRIBUTES, raProfileUuid };
  const { uuid } = await acmeProfiles.createAcmeProfile({ body });
  await acmeProfiles.enableAcmeProfile({ params: { uuid } });
  return uuid;
}

async function definedAttributes({ client }: TestServer) {
  const custom = { ...CUSTOM_ATTRIBUTE, name: 'matrix', resources: ['groups' as const] };
  const { uuid: customAttributeUuid } = await client.customAttributes.createCustomAttribute({ body: custom });
  const global = { ...CUSTOM_ATTRIBUTE, name: 'matrix' };
  const { uuid: globalMetadataUuid } = await client.globalMetadata.createGlobalMetadata({ body: global });
  return { customAttributeUuid, globalMetadataUuid };
}

/** A credential of the built-in connector for credentials. */
async function makeCredential(client: TestServer['client']) {
  const connectors = await client.connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
  const credentialsUuid = connectors[0]?.uuid ?? expect.fail('no connector offers credentials');
  const token = { uuid: randomUUID(), name: 'token', contentType: 'secret', content: [{ data: { secret: 'x' } }] } as const; // prettier-ignore
  const { uuid: credentialUuid } = await client.credentials.createCredential({
    body: { name: 'matrix', kind: 'BearerToken', attributes: [{ ...token, content: [...token.content] }], connectorUuid: credentialsUuid },
  }); // prettier-ignore
  return { credentialsUuid, credentialUuid, token };
}

/** A new account of an enabled ACME profile. */
export async function acmeAccount({ client, ready }: TestServer, acmeProfileUuid: string): Promise<string> {
  const { directoryUrl = '' } = await client.acmeProfiles.getAcmeProfile({ params: { uuid: acmeProfileUuid } });
  const acme = createAcmeTestClient({ directoryUrl, ca: await readFile(ready.rootCertificate) });
  try {
    expect((await acme.newAccount()).status).toBe(201);
  } finally {
    await acme.close();
  }
  const accounts = await client.acmeAccounts.listAcmeAccounts();
  return accounts.find((account) => account.acmeProfileUuid === acmeProfileUuid)?.uuid ?? expect.fail('no account');
}

const NO_ATTRIBUTES = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };
const CUSTOM_ATTRIBUTE = { contentType: 'string', label: 'Matrix' } as const;
const ABSENT = { url: 'http://127.0.0.1:1', authType: 'none' } as const;

type Bodies = Partial<Readonly<Record<Key, unknown>>>;

const bodiesOf = (objects: Objects): Bodies => ({
  ...bodiesOfConnectors(objects),
  ...bodiesOfAcme(objects),
  ...bodiesOfCertificates(objects),
  ...bodiesOfEndEntities(objects),
  ...bodiesOfUsers(objects),
  ...bodiesOfAttributes(objects),
  ...bodiesOfTheRest(objects),
});

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
  getCertificateContent: [certificateUuid],
  submitCertificateRequest: {
    request: requests.submit,
    format: 'pkcs10',
    issueAttributes: [],
    csrAttributes: [],
    signatureAttributes: [],
    raProfileUuid: path.raProfileUuid,
  },
  uploadCertificate: { certificate: 'none', customAttributes: [] },
  updateCertificateObjects: {
    raProfileUuid: path.raProfileUuid,
    groupUuids: [groupUuid],
    ownerUuid: userUuid,
  },
  bulkDeleteCertificate: { uuids: [certificateUuid] },
  validateIssueCertificateAttributes: [],
  issueCertificate: { request: requests.issue, attributes: [] },
  renewCertificate: {},
  rekeyCertificate: { request: requests.rekey },
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
    createAccessToken: { name: 'another' },
  };
}

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

const bodiesOfTheRest = ({ groupUuid, certificateUuid }: Objects): Bodies => ({
  verifyAuditLog: {},
  // No node has this key.
  rotateKeysAtRest: { keyId: '00000000' },
  createGroup: { name: 'second' },
  editGroup: { name: 'matrix' },
  bulkDeleteGroup: [groupUuid],
  listAuditLogs: {},
  exportAuditLogs: [],
  purgeAuditLogs: [],
  askForEarlyRenewal: { certificateUuids: [certificateUuid] },
});

/** Ends what others name, so it comes after them; parts before the whole. */
export function inOrderOfDestruction(keys: readonly Key[]): readonly Key[] {
  const destroys = (key: Key): number =>
    /purge/i.test(key) ? 5
    : /delete|remove/i.test(key) && /acme|Eab|Resource|Token/i.test(key) ? 2
    : /delete|remove/i.test(key) && /certificate|user/i.test(key) ? 3
    : /delete|remove/i.test(key) ? 4
    : /revoke|disable/i.test(key) && !/Attributes/.test(key) ? 1
    : 0; // prettier-ignore
  return keys.toSorted((a, b) => destroys(a) - destroys(b));
}

export type OperationKey = Key;
