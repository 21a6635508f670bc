// Catalog of the property fields that lists, rules and triggers can filter by, with the operators for each field type.
// Database access to the fields is defined elsewhere. The file is long because it is a table.
import type { PlatformEnum } from '../enums/catalog.ts';
import type { FilterConditionOperator, FilterFieldType } from '../enums/search.ts';
import type { Resource } from '../platform/resource.ts';

/** Operators for each field type, in display order. */
export const conditionsByType: Readonly<Record<FilterFieldType, readonly FilterConditionOperator[]>> = {
  string: [
    'CONTAINS',
    'NOT_CONTAINS',
    'EQUALS',
    'NOT_EQUALS',
    'EMPTY',
    'NOT_EMPTY',
    'STARTS_WITH',
    'ENDS_WITH',
    'MATCHES',
    'NOT_MATCHES',
  ],
  date: [
    'EQUALS',
    'NOT_EQUALS',
    'GREATER',
    'GREATER_OR_EQUAL',
    'LESSER',
    'LESSER_OR_EQUAL',
    'EMPTY',
    'NOT_EMPTY',
    'IN_NEXT',
    'IN_PAST',
  ],
  datetime: [
    'EQUALS',
    'NOT_EQUALS',
    'GREATER',
    'GREATER_OR_EQUAL',
    'LESSER',
    'LESSER_OR_EQUAL',
    'EMPTY',
    'NOT_EMPTY',
    'IN_NEXT',
    'IN_PAST',
  ],
  number: ['EQUALS', 'NOT_EQUALS', 'GREATER', 'GREATER_OR_EQUAL', 'LESSER', 'LESSER_OR_EQUAL', 'EMPTY', 'NOT_EMPTY'],
  list: ['EQUALS', 'NOT_EQUALS', 'EMPTY', 'NOT_EMPTY'],
  boolean: ['EQUALS', 'NOT_EQUALS', 'EMPTY', 'NOT_EMPTY'],
};

/** Operators for fields that contain a set of values. */
const membership: readonly FilterConditionOperator[] = ['EQUALS', 'NOT_EQUALS', 'EMPTY', 'NOT_EMPTY'];

/** Operators that compare the number of related objects. */
const counting: readonly FilterConditionOperator[] = [
  'COUNT_EQUAL',
  'COUNT_NOT_EQUAL',
  'COUNT_GREATER_THAN',
  'COUNT_LESS_THAN',
];

export interface PropertyField {
  readonly label: string;
  readonly type: FilterFieldType;
  readonly conditions: readonly FilterConditionOperator[];
  /** Whether multiple values can be specified; a match on any of them is enough. */
  readonly multiValue: boolean;
  /** Enumeration whose codes are the possible values. */
  readonly platformEnum?: PlatformEnum;
  /** Resource whose objects are the possible values. Objects are identified by name, users by username. */
  readonly objects?: Resource;
  /** Whether rule actions can set the field. */
  readonly settable: boolean;
  /** Where the field can be used, if not everywhere. */
  readonly offered?: 'rules' | 'search';
}

type Facts = Partial<Omit<PropertyField, 'label' | 'type' | 'multiValue'>>;

const field =
  (type: FilterFieldType) =>
  (label: string, facts: Facts = {}): PropertyField => ({
    label,
    type,
    conditions: conditionsByType[type],
    multiValue: type === 'list',
    settable: false,
    ...facts,
  });

const text = field('string');
const choice = field('list');
const instant = field('datetime');
const number = field('number');
const flag = field('boolean');

/** Property fields, by resource and identifier. */
export const propertyFields = {
  certificates: {
    COMMON_NAME: text('Common Name'),
    SERIAL_NUMBER: text('Serial Number'),
    RA_PROFILE_NAME: choice('RA Profile', { objects: 'raProfiles', settable: true }),
    CERTIFICATE_TYPE: choice('Type', { platformEnum: 'CertificateType', offered: 'rules' }),
    CERTIFICATE_STATE: choice('State', { platformEnum: 'CertificateState' }),
    CERTIFICATE_VALIDATION_STATUS: choice('Validation status', { platformEnum: 'CertificateValidationStatus' }),
    COMPLIANCE_STATUS: choice('Compliance Status', { platformEnum: 'ComplianceStatus' }),
    GROUP_NAME: choice('Groups', {
      objects: 'groups',
      settable: true,
      conditions: [...conditionsByType.list, ...counting],
    }),
    CERT_LOCATION_NAME: choice('Locations', {
      objects: 'locations',
      conditions: [...conditionsByType.list, ...counting],
    }),
    OWNER: choice('Owner', { objects: 'users', settable: true }),
    ISSUER_COMMON_NAME: text('Issuer Common Name'),
    SIGNATURE_ALGORITHM: choice('Signature Algorithm'),
    ALT_SIGNATURE_ALGORITHM: choice('Alternative Signature Algorithm'),
    FINGERPRINT: text('Fingerprint'),
    NOT_AFTER: instant('Expires At'),
    NOT_BEFORE: instant('Valid From'),
    // Not part of the published interface. Counts whole days, including both notBefore and notAfter; a partial day
    // counts as a full day.
    VALIDITY_DAYS: number('Validity in Days'),
    PUBLIC_KEY_ALGORITHM: choice('Public Key Algorithm'),
    ALT_PUBLIC_KEY_ALGORITHM: choice('Alternative Public Key Algorithm'),
    KEY_SIZE: choice('Key Size'),
    ALT_KEY_SIZE: choice('Alternative Key Size'),
    KEY_USAGE: choice('Key Usage', { platformEnum: 'CertificateKeyUsage' }),
    SUBJECT_TYPE: choice('Subject Type', { platformEnum: 'CertificateSubjectType' }),
    SUBJECT_ALTERNATIVE_NAMES: text('Subject Alternative Name'),
    SUBJECTDN: text('Subject DN'),
    ISSUERDN: text('Issuer DN'),
    ISSUER_SERIAL_NUMBER: text('Issuer Serial Number'),
    OCSP_VALIDATION: choice('OCSP Validation', { platformEnum: 'CertificateValidationStatus' }),
    CRL_VALIDATION: choice('CRL Validation', { platformEnum: 'CertificateValidationStatus' }),
    SIGNATURE_VALIDATION: choice('Signature Validation', { platformEnum: 'CertificateValidationStatus' }),
    PRIVATE_KEY: flag('Has private key', { objects: 'keys', conditions: ['EQUALS', 'NOT_EQUALS'] }),
    TRUSTED_CA: flag('Trusted CA'),
    CERTIFICATE_PROTOCOL: choice('Certificate Protocol', { platformEnum: 'CertificateProtocol' }),
    HYBRID_CERTIFICATE: flag('Hybrid Certificate'),
    ARCHIVED: flag('Archived'),
    SUCCEEDING_CERTIFICATES: choice('Succeeding Certificates', {
      platformEnum: 'CertificateRelationType',
      conditions: [...conditionsByType.list, ...counting],
    }),
    PRECEDING_CERTIFICATES: choice('Preceding Certificates', {
      platformEnum: 'CertificateRelationType',
      conditions: [...conditionsByType.list, ...counting],
    }),
    ACME_PROFILE: choice('ACME Profile', { objects: 'acmeProfiles' }),
    SCEP_PROFILE: choice('SCEP Profile', { objects: 'scepProfiles' }),
    CMP_PROFILE: choice('CMP Profile', { objects: 'cmpProfiles' }),
    ACME_ACCOUNT: choice('ACME Account', { objects: 'acmeAccounts' }),
  },
  certificateRequests: {
    CERT_REQUEST_COMMON_NAME: text('Common Name'),
    CERT_REQUEST_CERTIFICATE_TYPE: choice('Certificate Type', { platformEnum: 'CertificateType' }),
    CERT_REQUEST_FORMAT: choice('Format', { platformEnum: 'CertificateRequestFormat' }),
    CERT_REQUEST_SUBJECT_DN: text('Subject DN'),
    CERT_REQUEST_PUBLIC_KEY_ALGORITHM: choice('Public Key Algorithm'),
    CERT_REQUEST_ALT_PUBLIC_KEY_ALGORITHM: choice('Alternative Public Key Algorithm'),
    CERT_REQUEST_SIGNATURE_ALGORITHM: choice('Signature Algorithm'),
    CERT_REQUEST_ALT_SIGNATURE_ALGORITHM: choice('Alternative Signature Algorithm'),
    CERT_REQUEST_COMPLIANCE_STATUS: choice('Compliance Status', { platformEnum: 'ComplianceStatus' }),
    CERT_REQUEST_KEY_USAGE: choice('Key Usage', { platformEnum: 'CertificateKeyUsage' }),
    CERT_REQUEST_SUBJECT_ALTERNATIVE_NAMES: text('Subject Alternative Name'),
  },
  keys: {
    CKI_NAME: text('Name'),
    CKI_TYPE: choice('Key type', { platformEnum: 'KeyType' }),
    CKI_FORMAT: choice('Key format', { platformEnum: 'KeyFormat' }),
    CKI_STATE: choice('State', { platformEnum: 'KeyState' }),
    CKI_CRYPTOGRAPHIC_ALGORITHM: choice('Cryptographic algorithm', { platformEnum: 'KeyAlgorithm' }),
    CKI_USAGE: choice('Key Usage', { platformEnum: 'KeyUsage' }),
    CKI_LENGTH: number('Key Size'),
    CK_TOKEN_PROFILE: choice('Token profile', { objects: 'tokenProfiles' }),
    CK_TOKEN_INSTANCE: choice('Token instance', { objects: 'tokens' }),
    CK_GROUP: choice('Groups', {
      objects: 'groups',
      settable: true,
      conditions: [...conditionsByType.list, ...counting],
    }),
    CK_OWNER: choice('Owner', { objects: 'users', settable: true }),
  },
  discoveries: {
    DISCOVERY_NAME: text('Name'),
    DISCOVERY_START_TIME: instant('Start time'),
    DISCOVERY_END_TIME: instant('End time'),
    DISCOVERY_STATUS: choice('Status', { platformEnum: 'DiscoveryStatus' }),
    DISCOVERY_TOTAL_CERT_DISCOVERED: number('Total certificate discovered'),
    DISCOVERY_CONNECTOR_NAME: choice('Discovery provider'),
    DISCOVERY_KIND: text('Kind'),
  },
  // Version 2.17 of the published interface adds these fields; rules cannot use them.
  connectors: {
    CONNECTOR_NAME: text('Name', { offered: 'search' }),
    CONNECTOR_VERSION: choice('Version', { offered: 'search' }),
    CONNECTOR_URL: text('URL', { offered: 'search' }),
    CONNECTOR_AUTH_TYPE: choice('Auth type', { platformEnum: 'AuthType', offered: 'search' }),
    CONNECTOR_STATUS: choice('Status', { platformEnum: 'ConnectorStatus', offered: 'search' }),
    CONNECTOR_FUNCTION_GROUP: choice('Function group', { platformEnum: 'FunctionGroupCode', offered: 'search' }),
  },
  entities: {
    ENTITY_NAME: text('Name'),
    ENTITY_CONNECTOR_NAME: choice('Entity provider'),
    ENTITY_KIND: choice('Kind'),
  },
  locations: {
    LOCATION_NAME: text('Name'),
    LOCATION_ENTITY_INSTANCE: choice('Entity instance'),
    LOCATION_ENABLED: flag('Enabled'),
    LOCATION_SUPPORT_MULTIPLE_ENTRIES: flag('Support multiple entries'),
    LOCATION_SUPPORT_KEY_MANAGEMENT: flag('Support key management'),
    // Not part of the published interface. The value is a location state.
    LOCATION_STATE: choice('State', { conditions: ['EQUALS', 'NOT_EQUALS'] }),
  },
  auditLogs: {
    AUDIT_LOG_TIMESTAMP: instant('Timestamp'),
    AUDIT_LOG_MODULE: choice('Module', { platformEnum: 'Module' }),
    AUDIT_LOG_ACTOR_TYPE: choice('Actor type', { platformEnum: 'ActorType' }),
    AUDIT_LOG_ACTOR_NAME: text('Actor name'),
    AUDIT_LOG_ACTOR_AUTH_METHOD: choice('Actor Auth method', { platformEnum: 'AuthMethod' }),
    AUDIT_LOG_RESOURCE: choice('Resource', { platformEnum: 'Resource' }),
    AUDIT_LOG_AFFILIATED_RESOURCE: choice('Affiliated resource', { platformEnum: 'Resource' }),
    AUDIT_LOG_OPERATION: choice('Operation', { platformEnum: 'Operation' }),
    AUDIT_LOG_OPERATION_RESULT: choice('Operation result', { platformEnum: 'OperationResult' }),
    AUDIT_LOG_SOURCE_IP_ADDRESS: text('IP Address', { offered: 'search' }),
    AUDIT_LOG_SOURCE_PATH: text('API path', { offered: 'search' }),
    AUDIT_LOG_MESSAGE: text('Message'),
    AUDIT_LOG_RESOURCE_UUID: text('Resource UUID', { conditions: membership, offered: 'search' }),
    AUDIT_LOG_RESOURCE_NAME: text('Resource Name', { conditions: membership, offered: 'search' }),
    AUDIT_LOG_AFFILIATED_RESOURCE_UUID: text('Affiliated Resource UUID', { conditions: membership, offered: 'search' }),
    AUDIT_LOG_AFFILIATED_RESOURCE_NAME: text('Affiliated Resource Name', { conditions: membership, offered: 'search' }),
  },
  jobs: {
    SCHEDULED_JOB_NAME: text('Job Name'),
    SCHEDULED_JOB_ONE_TIME: flag('One Time'),
    SCHEDULED_JOB_SYSTEM: flag('System'),
    SCHEDULED_JOB_CLASS_NAME: choice('Class Name'),
  },
  approvals: {
    APPROVAL_RESOURCE: choice('Resource', { platformEnum: 'Resource' }),
    APPROVAL_ACTION: choice('Action', { platformEnum: 'ResourceAction' }),
    APPROVAL_STATUS: choice('Status', { platformEnum: 'ApprovalStatusEnum' }),
    APPROVAL_CREATED_AT: instant('Created At'),
    APPROVAL_EXPIRY_AT: instant('Expiry At'),
    APPROVAL_CLOSED_AT: instant('Closed At'),
  },
  oids: {
    OID_ENTRY_OID: text('OID'),
    OID_ENTRY_DISPLAY_NAME: text('Display Name'),
    OID_ENTRY_CATEGORY: choice('Category', { platformEnum: 'OidCategory' }),
    OID_ENTRY_CODE: text('Code'),
  },
} satisfies Partial<Record<Resource, Readonly<Record<string, PropertyField>>>>;

/** Resources whose objects can be filtered by property. */
export type FilterableResource = keyof typeof propertyFields;

/** Identifiers of a resource's property fields. */
export type PropertyFieldIdentifier<R extends FilterableResource> = keyof (typeof propertyFields)[R] & string;
