// Operations in each function group, under the names that connectors use to declare their endpoints. A connector can
// omit some of them. `endpoints.ts` defines which ones platforms check before they accept a connector.
import type { FunctionGroupCode } from '../enums/connectors.ts';
import type { OperationTable } from '../operation.ts';
import { authorityProviderOperations } from './authority.ts';
import { complianceProviderOperations } from './compliance.ts';
import { complianceProviderV2Operations } from './compliance-v2.ts';
import { cryptographicOperations } from './crypto-operations.ts';
import { discoveryProviderOperations } from './discovery.ts';
import { entityProviderOperations } from './entity.ts';
import { connectorBaseOperations } from './base-operations.ts';
import { keyOperations } from './keys.ts';
import { legacyAuthorityProviderOperations } from './legacy-authority.ts';
import { notificationProviderOperations } from './notification.ts';
import { tokenOperations } from './tokens.ts';

const { listAttributeDefinitions, validateAttributes } = connectorBaseOperations;
/** Attribute operations for the kinds in a group. */
const ofKinds = { listAttributeDefinitions, validateAttributes };

export const cryptographyProviderOperations = { ...tokenOperations, ...keyOperations, ...cryptographicOperations };

const {
  listAuthorityInstances,
  createAuthorityInstance,
  getAuthorityInstance,
  updateAuthorityInstance,
  removeAuthorityInstance,
  getConnection,
  listRAProfileAttributes,
  validateRAProfileAttributes,
  getCaCertificates,
  getCrl,
} = authorityProviderOperations;

export const functionGroupOperations = {
  credentialProvider: ofKinds,
  legacyAuthorityProvider: {
    ...ofKinds,
    listAuthorityInstances,
    createAuthorityInstance,
    getAuthorityInstance,
    updateAuthorityInstance,
    removeAuthorityInstance,
    getConnection,
    listRAProfileAttributes,
    validateRAProfileAttributes,
    getCaCertificates,
    getCrl,
    ...legacyAuthorityProviderOperations,
  },
  authorityProvider: { ...ofKinds, ...authorityProviderOperations },
  discoveryProvider: { ...ofKinds, ...discoveryProviderOperations },
  entityProvider: { ...ofKinds, ...entityProviderOperations },
  complianceProvider: { ...ofKinds, ...complianceProviderOperations },
  complianceProviderV2: { ...ofKinds, ...complianceProviderV2Operations },
  cryptographyProvider: { ...ofKinds, ...cryptographyProviderOperations },
  notificationProvider: { ...ofKinds, ...notificationProviderOperations },
} as const satisfies Record<FunctionGroupCode, OperationTable>;

type Tables = typeof functionGroupOperations;
type Names<Code extends FunctionGroupCode> = readonly (keyof Tables[Code])[];

/**
 * Operations that a connector can omit, because they are incidental to the group or their behavior follows from other
 * operations. All others are necessary, even if platforms do not check for them: a discovery is useless if its results
 * cannot be fetched.
 */
export const optionalOperations = {
  credentialProvider: ['validateAttributes'],
  legacyAuthorityProvider: [
    'listAttributeDefinitions',
    'validateAttributes',
    'removeAuthorityInstance',
    'getConnection',
    'listRAProfileAttributes',
    'validateRAProfileAttributes',
    'getCaCertificates',
    'getCrl',
    'listEntityProfiles',
    'listCertificateProfiles',
    'listCAsInProfile',
    'listEndEntities',
    'createEndEntity',
    'getEndEntity',
    'updateEndEntity',
    'removeEndEntity',
    'resetPassword',
    'issueCertificate',
    'revokeCertificate',
  ],
  authorityProvider: [
    'validateAttributes',
    'removeAuthorityInstance',
    'getConnection',
    'validateRAProfileAttributes',
    'getCaCertificates',
    'getCrl',
    'validateIssueCertificateAttributes',
    'validateRevokeCertificateAttributes',
    'releaseCertificate',
    'identifyCertificate',
  ],
  discoveryProvider: ['validateAttributes', 'deleteDiscovery'],
  entityProvider: [
    'validateAttributes',
    'validateLocationAttributes',
    'validatePushCertificateAttributes',
    'validateGenerateCsrAttributes',
  ],
  complianceProvider: ['listAttributeDefinitions', 'validateAttributes'],
  complianceProviderV2: ['listAttributeDefinitions', 'validateAttributes'],
  cryptographyProvider: [
    'validateAttributes',
    'validateTokenInstanceActivationAttributes',
    'validateTokenProfileAttributes',
    'validateCreateKeyPairAttributes',
    'validateCreateSecretKeyAttributes',
    'validateRandomAttributes',
    'getCreateTokenAttributes',
  ],
  notificationProvider: ['validateAttributes', 'previewNotification'],
} as const satisfies { readonly [Code in FunctionGroupCode]: Names<Code> };
