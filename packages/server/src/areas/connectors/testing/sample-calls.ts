// A call of every operation that connectors serve, by function group. The type reports missing operations.
import type { FunctionGroupCode, NotificationProviderNotifyRequestDto } from '@signetry/contract';
import { authorityCalls, legacyAuthorityCalls } from './sample-authority-calls.ts';
import { cryptographyCalls } from './sample-cryptography-calls.ts';
import {
  attributeCalls,
  checkOf,
  dataAttribute,
  definitions,
  definitionsOf,
  instance,
  metadata,
  OTHER_UUID,
  UUID,
  values,
  type SampleCalls,
} from './sample-values.ts';

const params = { uuid: UUID };
const request = { name: 'First', kind: 'Sample', attributes: values };

const discovery = {
  uuid: UUID,
  name: 'Everything',
  status: 'inProgress',
  totalCertificatesDiscovered: 1,
  certificateData: [{ uuid: OTHER_UUID, base64Content: 'MIIBcert', meta: metadata }],
  meta: metadata,
} as const;

const discoveryCalls: SampleCalls<'discoveryProvider'> = {
  ...attributeCalls('discoveryProvider'),
  discoverCertificate: {
    request: { body: { ...request, name: 'Everything' } },
    answer: { ...discovery, certificateData: [...discovery.certificateData] },
  },
  getDiscovery: {
    request: { params, body: { name: 'Everything', kind: 'Sample', pageNumber: 2, itemsPerPage: 100 } },
    answer: { ...discovery, status: 'completed', certificateData: [...discovery.certificateData] },
  },
  deleteDiscovery: { request: { params }, answer: undefined },
};

const entity = { entityUuid: UUID };
const held = { certificateData: 'MIIBcert', certificateType: 'X.509', withKey: true } as const;

const entityCalls: SampleCalls<'entityProvider'> = {
  ...attributeCalls('entityProvider'),
  listEntityInstances: { request: {}, answer: [instance] },
  createEntityInstance: { request: { body: request }, answer: instance },
  getEntityInstance: { request: { params: entity }, answer: instance },
  updateEntityInstance: { request: { params: entity, body: request }, answer: instance },
  removeEntityInstance: { request: { params: entity }, answer: undefined },
  listLocationAttributes: definitionsOf(entity),
  validateLocationAttributes: checkOf(entity),
  getLocationDetail: {
    request: { params: entity, body: { locationAttributes: values } },
    answer: {
      certificates: [{ ...held, metadata, pushAttributes: [dataAttribute], csrAttributes: [dataAttribute] }],
      metadata,
      multipleEntries: true,
      supportKeyManagement: true,
    },
  },
  pushCertificateToLocation: {
    request: {
      params: entity,
      body: { certificate: 'MIIBcert', certificateType: 'X.509', locationAttributes: values, pushAttributes: values },
    },
    answer: { certificateMetadata: metadata, withKey: true },
  },
  listPushCertificateAttributes: definitionsOf(entity),
  validatePushCertificateAttributes: checkOf(entity),
  removeCertificateFromLocation: {
    request: { params: entity, body: { certificateMetadata: metadata, locationAttributes: values } },
    answer: { certificateMetadata: metadata },
  },
  generateCsrLocation: {
    request: { params: entity, body: { locationAttributes: values, csrAttributes: values, renewal: true } },
    answer: { csr: 'MIIBcsr=', metadata, certificateType: 'X.509', pushAttributes: values },
  },
  listGenerateCsrAttributes: definitionsOf(entity),
  validateGenerateCsrAttributes: checkOf(entity),
};

const kind = { kind: 'Sample' };
const ruleOfFirst = {
  uuid: UUID,
  groupUuid: OTHER_UUID,
  name: 'Key sizes',
  certificateType: 'X.509',
  attributes: definitions,
  description: 'At least 2048 bits',
} as const;

const complianceCalls: SampleCalls<'complianceProvider'> = {
  ...attributeCalls('complianceProvider'),
  listRules: { request: { params: kind }, answer: [ruleOfFirst] },
  listGroups: { request: { params: kind }, answer: [{ uuid: OTHER_UUID, name: 'Keys', description: 'Of all sizes' }] },
  listGroupDetails: { request: { params: { ...kind, uuid: OTHER_UUID } }, answer: [ruleOfFirst] },
  checkCompliance: {
    request: { params: kind, body: { certificate: 'MIIBcert', rules: [{ uuid: UUID, attributes: values }] } },
    answer: { status: 'nok', rules: [{ uuid: UUID, name: 'Key sizes', status: 'not_available' }] },
  },
};

const rule = {
  uuid: UUID,
  groupUuid: OTHER_UUID,
  name: 'Key sizes',
  description: 'At least 2048 bits',
  resource: 'certificates',
  type: 'X.509',
  format: 'pkcs10',
  attributes: definitions,
} as const;
const group = { uuid: OTHER_UUID, name: 'Keys', description: 'Of all sizes', resource: 'keys' } as const;
const ofGroup = { ...kind, groupUuid: OTHER_UUID };

const complianceV2Calls: SampleCalls<'complianceProviderV2'> = {
  ...attributeCalls('complianceProviderV2'),
  listRules: {
    request: { params: kind, query: { resource: 'certificates', type: 'X.509', format: 'a b&c' } },
    answer: [rule],
  },
  getRulesBatch: {
    request: { params: kind, body: { ruleUuids: [UUID], groupUuids: [OTHER_UUID], withGroupRules: true } },
    answer: { rules: [rule], groups: [{ ...group, rules: [rule] }] },
  },
  getRule: { request: { params: { ...kind, ruleUuid: UUID } }, answer: rule },
  listGroups: { request: { params: kind, query: { resource: 'keys' } }, answer: [group] },
  getGroup: { request: { params: ofGroup }, answer: group },
  getGroupRules: { request: { params: ofGroup }, answer: [rule] },
  checkCompliance: {
    request: {
      params: kind,
      body: {
        resource: 'certificates',
        type: 'X.509',
        format: 'der',
        data: 'MIIBcert',
        rules: [{ uuid: UUID, attributes: values }],
        groups: [OTHER_UUID],
      },
    },
    answer: { status: 'ok', rules: [{ uuid: UUID, name: 'Key sizes', status: 'ok' }] },
  },
};

const notification: NotificationProviderNotifyRequestDto = {
  recipients: [{ name: 'Anna', email: 'anna@example.com', mappedAttributes: values }],
  eventType: 'certificate_expiring',
  event: 'certificate_expiring',
  resource: 'certificates',
  notificationData: { serialNumber: '0a17', left: [1, null, { days: 3 }] },
};

const notificationCalls: SampleCalls<'notificationProvider'> = {
  ...attributeCalls('notificationProvider'),
  listNotificationInstances: { request: {}, answer: [instance] },
  createNotificationInstance: { request: { body: request }, answer: instance },
  getNotificationInstance: { request: { params }, answer: instance },
  updateNotificationInstance: { request: { params, body: request }, answer: instance },
  removeNotificationInstance: { request: { params }, answer: undefined },
  sendNotification: { request: { params, body: notification }, answer: undefined },
  previewNotification: {
    request: { params, body: notification },
    answer: { subject: 'Expiring', text: 'It expires.', headers: { To: 'anna@example.com' } },
  },
  listMappingAttributes: { request: { params: kind }, answer: [dataAttribute] },
};

export const sampleCalls: { readonly [Code in FunctionGroupCode]: SampleCalls<Code> } = {
  credentialProvider: attributeCalls('credentialProvider'),
  legacyAuthorityProvider: legacyAuthorityCalls,
  authorityProvider: authorityCalls,
  discoveryProvider: discoveryCalls,
  entityProvider: entityCalls,
  complianceProvider: complianceCalls,
  complianceProviderV2: complianceV2Calls,
  cryptographyProvider: cryptographyCalls,
  notificationProvider: notificationCalls,
};
