// One object of every kind that operations name, created by an administrator.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ResourceOrParameter } from '@signetry/contract';
import { createAcmeTestClient } from '@signetry/testkit/acme';
import type { TestServer } from '@signetry/testkit/platform';
import { expect } from 'vitest';
import { approvalOf, guardedAuthority } from './approvals.ts';
import { issue } from './certificates.ts';
import { makeInfrastructure } from './declared-infrastructure.ts';
import { addEndEntity, createLegacyAuthority } from './legacy-authorities.ts';
import { createAuthority, type IssuingPath } from './profiles.ts';
import { makeRequest } from './requests.ts';
import { addScepProfile, makeScepCertificate } from './scep-profiles.ts';
import { importFile, makeKeyFile } from './key-files.ts';
import { createImportingToken, createKey, itemPath, softwareTokensOf, type TokenPath } from './tokens.ts';

export type Objects = Awaited<ReturnType<typeof makeObjects>>;

/** Everything that an operation can name, created by an administrator. */
// oxlint-disable-next-line max-lines-per-function -- a list of objects, one line each
export async function makeObjects(server: TestServer) {
  const { client } = server;
  const path = await createAuthority(client, { name: 'Matrix CA' });
  const connectorUuid = await connectorOf(client, path.authorityUuid);
  const certificateUuid = await issueNamed(client, path, 'matrix.example');
  const { legacy, username } = await makeEndEntity(client);
  const principals = await makePrincipals(client);
  const { groupUuid, userUuid, roleUuid } = principals;
  const acmeProfileUuid = await makeAcmeProfile(client, path.raProfileUuid);
  const scep = await makeScepProfile(client, path);
  const { uuid: estProfileUuid } = await client.estProfiles.createEstProfile({
    body: { name: 'matrix', raProfileUuid: path.raProfileUuid },
  });
  const { uuid: keyUuid } = await client.acmeEabKeys.createAcmeEabKey({ params: { uuid: acmeProfileUuid }, body: {} });
  const acmeAccountUuid = await acmeAccount(server, acmeProfileUuid);
  const cmpProfileUuid = await makeCmpProfile(client, path.raProfileUuid);
  const { uuid: secretUuid } = await client.enrollmentSecrets.createEnrollmentSecret({
    params: path,
    body: { protocol: 'est' },
  });
  const { uuid: tokenUuid } = await client.accessTokens.createAccessToken({ body: { name: 'matrix' } });
  const { customAttributeUuid, globalMetadataUuid } = await defineAttributes(server);
  const credential = await makeCredential(client);
  const { approvalProfileUuid, approvalUuid } = await makeApproval(client, userUuid);
  const keys = await makeKey(client);
  const estate = await makeInfrastructure(client);
  const compliance = await makeCompliance(client, path.raProfileUuid);
  const workflows = await makeWorkflows(client, groupUuid);
  return {
    path,
    connectorUuid,
    ...credential,
    certificateUuid,
    certificateOfUser: await issueNamed(client, path, 'for-a-user.example'),
    ...principals,
    acmeProfileUuid,
    estProfileUuid,
    acmeAccountUuid,
    cmpProfileUuid,
    ...scep,
    tokenUuid,
    customAttributeUuid,
    globalMetadataUuid,
    approvalUuid,
    changeUuid: await makeBulkChange(client, certificateUuid),
    username,
    requests: await makeRequests(),
    keys,
    exportable: await makeExportable(client, path, keys),
    estate,
    compliance,
    workflows,
    named: {
      ...path,
      connectorUuid,
      raProfileName: legacy.raProfileName,
      username,
      certificateUuid,
      userUuid,
      roleUuid,
      acmeProfileUuid,
      estProfileUuid,
      acmeAccountUuid,
      cmpProfileUuid,
      scepProfileUuid: scep.scepProfileUuid,
      keyUuid,
      secretUuid,
      approvalProfileUuid,
      ...compliance.inPaths,
      ...workflows.inPaths,
      resourceUuid: await resourceOfGroups(client),
      attributeUuid: customAttributeUuid,
      objectUuid: groupUuid,
      parentObjectUuid: path.authorityUuid,
      ...keys.inPaths,
      ...estate.inPaths,
      ...FIXED,
    } as Readonly<Record<string, unknown>>,
    others: { raProfiles: path.raProfileUuid }, // For paths that use a different parameter name.
    ofResource: {
      groups: groupUuid,
      attributes: customAttributeUuid,
      connectors: connectorUuid,
      credentials: credential.credentialUuid,
      authorities: path.authorityUuid,
      certificates: certificateUuid,
      acmeProfiles: acmeProfileUuid,
      cmpProfiles: cmpProfileUuid,
      acmeAccounts: acmeProfileUuid,
      scepProfiles: scep.scepProfileUuid,
      approvalProfiles: approvalProfileUuid,
      complianceProfiles: compliance.profileUuid,
      ...keys.ofResource,
      ...estate.ofResource,
    } as Partial<Readonly<Record<ResourceOrParameter, string>>>,
  };
}

const issueNamed = async (client: TestServer['client'], path: IssuingPath, name: string): Promise<string> =>
  (await issue(client, path, await makeRequest({ subject: `CN=${name}` }))).uuid;

/** Creates a profile with a rule for the certificates of an RA profile, and checks them once. */
async function makeCompliance(client: TestServer['client'], associationObjectUuid: string) {
  const { complianceProfiles, compliance, complianceRuns } = client;
  const { uuid: internalRuleUuid } = await complianceProfiles.createComplianceInternalRuleV2({
    body: { name: 'matrix', ...RULE },
  });
  const { uuid: profileUuid } = await complianceProfiles.createComplianceProfileV2({ body: { name: 'matrix' } });
  const params = { uuid: profileUuid, resource: 'raProfiles' as const, associationObjectUuid };
  await complianceProfiles.associateComplianceProfileV2({ params });
  await compliance.checkComplianceV2({ body: [profileUuid], query: {} });
  const [run] = (await complianceRuns.listComplianceRuns({ query: {} })).runs;
  const runUuid = run?.uuid ?? expect.fail('no check was begun');
  return { internalRuleUuid, profileUuid, inPaths: { internalRuleUuid, associationObjectUuid, runUuid } };
}

/** Creates unused definitions for paths, and others that bodies name. */
async function makeWorkflows(client: TestServer['client'], groupUuid: string) {
  const free = await makeDefinitions(client, 'free', groupUuid);
  const { ruleUuid, actionUuid, ...named } = await makeDefinitions(client, 'named', groupUuid);
  const loose = await makeDefinitions(client, 'loose', groupUuid);
  const inPaths = { ...loose, ruleUuid: free.ruleUuid, actionUuid: free.actionUuid };
  return { ...named, ruleUuid, actionUuid, inPaths };
}

async function makeDefinitions(
  { workflowRules, workflowActions, workflowTriggers }: TestServer['client'],
  name: string,
  groupUuid: string,
) {
  const of = { name, resource: 'certificates' } as const;
  const { uuid: conditionUuid } = await workflowRules.createCondition({ body: { ...of, ...CHECK } });
  const { uuid: executionUuid } = await workflowActions.createExecution({ body: { ...of, ...executionOf(groupUuid) } });
  const trigger = { ...of, ignoreTrigger: true } as const;
  const { uuid: triggerUuid } = await workflowTriggers.createTrigger({ body: trigger });
  const parts = { conditionUuid, executionUuid, triggerUuid };
  if (name === 'loose') return { ...parts, ruleUuid: '', actionUuid: '' };
  const { uuid: ruleUuid } = await workflowRules.createRule({ body: { ...of, conditionsUuids: [conditionUuid] } });
  const { uuid: actionUuid } = await workflowActions.createAction({
    body: { ...of, executionsUuids: [executionUuid] },
  });
  return { ...parts, ruleUuid, actionUuid };
}

export const executionOf = (groupUuid: string) => ({
  type: 'setField' as const,
  items: [{ fieldSource: 'property' as const, fieldIdentifier: 'GROUP_NAME', data: [groupUuid] }],
});

/** Creates a key pair in an active token. */
async function makeKey(client: TestServer['client']) {
  return keyIn(client, await createImportingToken(client), true);
}

/** Returns a certificate whose key supports every operation and can be exported. */
async function makeExportable(
  client: TestServer['client'],
  path: IssuingPath,
  { tokenInstanceUuid, tokenProfileUuid }: TokenPath,
): Promise<string> {
  const { content } = await makeKeyFile(client, { keySpec: 'RSA-2048', path });
  const imported = await importFile(client, { tokenInstanceUuid, tokenProfileUuid }, { content, exportable: true });
  return imported.certificateUuid;
}

export async function keyIn(client: TestServer['client'], path: TokenPath, enabled: boolean) {
  const key = await createKey(client, path, { specification: 'P-256', enabled });
  const providerUuid = await softwareTokensOf(client);
  const { keyItemUuid: privateItemUuid } = itemPath(path, key, 'Private');
  const { tokenInstanceUuid: tokens, tokenProfileUuid: tokenProfiles } = path;
  return {
    ...path,
    keyUuid: key.uuid,
    privateItemUuid,
    providerUuid,
    inPaths: { ...path, keyItemUuid: privateItemUuid },
    ofResource: { tokens, tokenProfiles, keys: key.uuid },
  };
}

const resourceOfGroups = async ({ auth }: TestServer['client']): Promise<string | undefined> =>
  (await auth.getAuthResources()).find(({ name }) => name === 'groups')?.uuid;

/** Creates users, roles and groups that can get permissions, and an identity provider. */
async function makePrincipals(client: TestServer['client']) {
  await makeProvider(client);
  const { uuid: groupUuid } = await client.groups.createGroup({ body: { name: 'matrix' } });
  const { uuid: userUuid } = await client.users.createUser({ body: { username: 'matrix' } });
  const { uuid: roleUuid } = await client.roles.createRole({ body: { name: 'matrix' } });
  await client.oids.createCustomOidEntry({ body: { ...OID_ENTRY, oid: OID } });
  return { groupUuid, userUuid, roleUuid };
}

const connectorOf = async ({ authorities }: TestServer['client'], uuid: string): Promise<string> =>
  (await authorities.getAuthorityInstance({ params: { uuid } })).connectorUuid ?? '';

async function makeRequests() {
  const pemFor = async (subject: string): Promise<string> => (await makeRequest({ subject })).pem;
  return {
    issue: await pemFor('CN=issued.matrix.example'),
    rekey: await pemFor('CN=matrix.example'),
    submit: await pemFor('CN=submitted.matrix.example'),
    enroll: await pemFor('CN=enrolled.matrix.example'),
  };
}

async function makeEndEntity(client: TestServer['client']) {
  const legacy = await createLegacyAuthority(client, { name: 'Legacy matrix CA' });
  const username = 'matrix-entity';
  await addEndEntity(client, legacy, username);
  return { legacy, username };
}

/** Creates an identity provider; its key has signed nothing. */
async function makeProvider({ authenticationSettings }: TestServer['client']): Promise<void> {
  const { publicKey } = generateKeyPairSync('ed25519');
  const jwkSet = Buffer.from(JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] })).toString('base64');
  const body = { issuerUrl: 'https://id.example', jwkSet };
  await authenticationSettings.updateOAuth2ProviderSettings({ params: { providerName: 'matrix' }, body });
}

/** Creates an approval that is waiting for an enabled user. */
async function makeApproval(client: TestServer['client'], userUuid: string) {
  await client.users.enableUser({ params: { userUuid } });
  const { approvalProfileUuid, ...path } = await guardedAuthority(client, 'Guarded matrix CA', [{ userUuid }]);
  const { pem: request } = await makeRequest({ subject: 'CN=waiting.matrix.example' });
  const { uuid } = await client.clientOperations.issueCertificate({ params: path, body: { request, attributes: [] } });
  return { approvalProfileUuid, approvalUuid: (await approvalOf(client, uuid)).approvalUuid };
}

async function makeScepProfile(client: TestServer['client'], path: IssuingPath) {
  const scepCertificateUuid = await makeScepCertificate(client, path);
  const settings = { caCertificateUuid: scepCertificateUuid, raProfileUuid: path.raProfileUuid };
  return { scepCertificateUuid, scepProfileUuid: (await addScepProfile(client, settings)).uuid };
}

async function makeAcmeProfile({ acmeProfiles }: TestServer['client'], raProfileUuid: string): Promise<string> {
  const body = { name: 'matrix', ...NO_ATTRIBUTES, raProfileUuid };
  const { uuid } = await acmeProfiles.createAcmeProfile({ body });
  await acmeProfiles.enableAcmeProfile({ params: { uuid } });
  return uuid;
}

async function makeCmpProfile({ cmpProfiles }: TestServer['client'], raProfileUuid: string): Promise<string> {
  return (await cmpProfiles.createCmpProfile({ body: { ...CMP_PROFILE, raProfileUuid } })).uuid;
}

async function defineAttributes({ client }: TestServer) {
  const custom = { ...CUSTOM_ATTRIBUTE, name: 'matrix', resources: ['groups' as const] };
  const { uuid: customAttributeUuid } = await client.customAttributes.createCustomAttribute({ body: custom });
  const global = { ...CUSTOM_ATTRIBUTE, name: 'matrix' };
  const { uuid: globalMetadataUuid } = await client.globalMetadata.createGlobalMetadata({ body: global });
  return { customAttributeUuid, globalMetadataUuid };
}

/** Creates a credential with the built-in credential connector. */
async function makeCredential(client: TestServer['client']) {
  const connectors = await client.connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
  const credentialsUuid = connectors[0]?.uuid ?? expect.fail('no connector offers credentials');
  const token = {
    uuid: randomUUID(),
    name: 'token',
    contentType: 'secret',
    content: [{ data: { secret: 'x' } }],
  } as const;
  const { uuid: credentialUuid } = await client.credentials.createCredential({
    body: { name: 'matrix', kind: 'BearerToken', attributes: [{ ...token, content: [...token.content] }], connectorUuid: credentialsUuid },
  }); // prettier-ignore
  return { credentialsUuid, credentialUuid, token };
}

/** Creates an account of an enabled ACME profile. */
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

/** Creates a bulk change that changes nothing. */
async function makeBulkChange(client: TestServer['client'], uuid: string): Promise<string | undefined> {
  await client.certificates.bulkUpdateCertificateObjects({ body: { certificateUuids: [uuid] } });
  return (await client.certificateChanges.listCertificateChanges())[0]?.uuid;
}

const CONDITION = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'NOT_EMPTY' } as const;
export const CHECK = { type: 'checkField' as const, items: [CONDITION] };
export const RULE = { resource: 'certificates' as const, conditionItems: [CONDITION] };
export const OID = '1.3.6.1.4.1.99999.1';
export const OID_ENTRY = { displayName: 'Matrix', category: 'generic' } as const;
/** Path parameters that do not identify a fixture object or have a fixed value. */
const FIXED = {
  // There are no evaluations.
  evaluationUuid: '00000000-0000-4000-8000-000000000000',
  resourceName: 'groups',
  resource: 'raProfiles',
  providerName: 'matrix',
  oid: OID,
  endEntityProfileId: 1,
  functionGroup: 'authorityProvider',
  kind: 'SoftwareCA',
  certificateFormat: 'raw',
  type: 'keyPair',
  algorithm: 'ECDSA',
} as const;
export const NO_ATTRIBUTES = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };
/** Protected by a shared secret. */
export const CMP_PROFILE = {
  name: 'matrix',
  variant: 'v2',
  requestProtectionMethod: 'sharedSecret',
  responseProtectionMethod: 'sharedSecret',
  sharedSecret: 'a secret of the matrix',
  ...NO_ATTRIBUTES,
} as const;
export const CUSTOM_ATTRIBUTE = { contentType: 'string', label: 'Matrix' } as const;
