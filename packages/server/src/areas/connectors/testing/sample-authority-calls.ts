// A call of every authority provider operation, for both generations.
import type { RaProfileDto } from '@signetry/contract';
import {
  attributeCalls,
  checkOf,
  definitionsOf,
  instance,
  metadata,
  UUID,
  values,
  type SampleCalls,
} from './sample-values.ts';

const params = { uuid: UUID };
const request = { name: 'First', kind: 'Sample', attributes: values };
const certificate = {
  certificateData: 'MIIBcert',
  uuid: UUID,
  meta: metadata,
  certificateType: 'X.509',
} as const;

/** Operations of both generations. */
type SharedName =
  | 'listAuthorityInstances'
  | 'createAuthorityInstance'
  | 'getAuthorityInstance'
  | 'updateAuthorityInstance'
  | 'removeAuthorityInstance'
  | 'getConnection'
  | 'listRAProfileAttributes'
  | 'validateRAProfileAttributes'
  | 'getCaCertificates'
  | 'getCrl';

const instances: Pick<SampleCalls<'authorityProvider'>, SharedName> = {
  listAuthorityInstances: { request: {}, answer: [instance] },
  createAuthorityInstance: { request: { body: request }, answer: instance },
  getAuthorityInstance: { request: { params }, answer: instance },
  updateAuthorityInstance: { request: { params, body: request }, answer: instance },
  removeAuthorityInstance: { request: { params }, answer: undefined },
  getConnection: { request: { params }, answer: undefined },
  listRAProfileAttributes: definitionsOf(params),
  validateRAProfileAttributes: checkOf(params),
  getCaCertificates: {
    request: { params, body: { raProfileAttributes: values } },
    answer: { certificates: [certificate] },
  },
  getCrl: {
    request: { params, body: { delta: true, raProfileAttributes: values, shard: 3 } },
    answer: { crlData: 'MIIBcrl=' },
  },
};

export const authorityCalls: SampleCalls<'authorityProvider'> = {
  ...attributeCalls('authorityProvider'),
  ...instances,
  listIssueCertificateAttributes: definitionsOf(params),
  validateIssueCertificateAttributes: checkOf(params),
  issueCertificate: {
    request: {
      params,
      body: { request: 'MIIBcsr=', format: 'crmf', raProfileAttributes: values, attributes: values },
    },
    answer: certificate,
  },
  renewCertificate: {
    request: {
      params,
      body: {
        request: 'MIIBcsr=',
        format: 'pkcs10',
        raProfileAttributes: values,
        certificate: 'MIIBold=',
        meta: metadata,
      },
    },
    answer: certificate,
  },
  listRevokeCertificateAttributes: definitionsOf(params),
  validateRevokeCertificateAttributes: checkOf(params),
  revokeCertificate: {
    request: {
      params,
      body: { reason: 'keyCompromise', raProfileAttributes: values, attributes: values, certificate: 'MIIBcert' },
    },
    answer: undefined,
  },
  releaseCertificate: {
    request: { params, body: { certificate: 'MIIBcert', raProfileAttributes: values } },
    answer: undefined,
  },
  identifyCertificate: {
    request: { params, body: { certificate: 'MIIBcert', raProfileAttributes: values } },
    answer: { meta: metadata },
  },
};

const profileName = { uuid: UUID, endEntityProfileName: 'People / staff' };
const profileId = { uuid: UUID, endEntityProfileId: 7 };
const named = { ...profileName, endEntityName: 'anna' };
const endEntity = {
  subjectDN: 'CN=Anna',
  email: 'anna@example.com',
  extensionData: [{ name: 'department', value: '17' }],
  subjectAltName: 'rfc822Name=anna@example.com',
};
const raProfile: RaProfileDto = {
  uuid: UUID,
  name: 'People',
  description: 'Staff',
  authorityInstanceUuid: UUID,
  authorityInstanceName: 'First',
  legacyAuthority: true,
  enabled: true,
  attributes: [
    {
      uuid: UUID,
      name: 'data_profile',
      label: 'Profile',
      type: 'data',
      contentType: 'string',
      content: [{ data: 'p' }],
    },
  ],
  customAttributes: [],
  enabledProtocols: ['ACME'],
  certificateValidationSettings: { enabled: true, frequency: 1, expiringThreshold: 30 },
};
const names = [{ id: 7, name: 'People' }];

export const legacyAuthorityCalls: SampleCalls<'legacyAuthorityProvider'> = {
  ...attributeCalls('legacyAuthorityProvider'),
  ...instances,
  listEntityProfiles: { request: { params }, answer: names },
  listCertificateProfiles: { request: { params: profileId }, answer: names },
  listCAsInProfile: { request: { params: profileId }, answer: names },
  listEndEntities: {
    request: { params: profileName },
    answer: [{ ...endEntity, status: 'WAITING_FOR_ADD_APPROVAL', username: 'anna' }],
  },
  createEndEntity: {
    request: { params: profileName, body: { ...endEntity, raProfile, password: 'secret', username: 'anna' } },
    answer: undefined,
  },
  getEndEntity: { request: { params: named }, answer: { ...endEntity, status: 'GENERATED', username: 'anna' } },
  updateEndEntity: {
    request: { params: named, body: { ...endEntity, raProfile, password: 'secret', status: 'NEW' } },
    answer: undefined,
  },
  removeEndEntity: { request: { params: named }, answer: undefined },
  resetPassword: { request: { params: named }, answer: undefined },
  issueCertificate: {
    request: { params: profileName, body: { password: 'secret', pkcs10: 'MIIBcsr=', username: 'anna' } },
    answer: { certificateData: 'MIIBcert' },
  },
  revokeCertificate: {
    request: { params: profileName, body: { certificateSN: '0A17', issuerDN: 'CN=CA', reason: 'superseded' } },
    answer: undefined,
  },
};
