// The operations of each function group, under the names by which connectors declare their endpoints. A connector may
// lack some of them; `endpoints.ts` has what platforms check when they accept a connector.
import type { FunctionGroupCode } from '../enums/connectors.ts';
import type { OperationTable } from '../operation.ts';
import { authorityProviderOperations } from './authority.ts';
import { complianceProviderOperations } from './compliance.ts';
import { complianceProviderV2Operations } from './compliance-v2.ts';
import { cryptographicOperations } from './crypto-operations.ts';
import { discoveryProviderOperations } from './discovery.ts';
import { entityProviderOperations } from './entity.ts';
import { connectorBaseOperations } from './every-connector.ts';
import { keyOperations } from './keys.ts';
import { legacyAuthorityProviderOperations } from './legacy-authority.ts';
import { notificationProviderOperations } from './notification.ts';
import { tokenOperations } from './tokens.ts';

const { listAttributeDefinitions, validateAttributes } = connectorBaseOperations;
/** Attributes of the kinds of a group. */
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
 * What a connector may leave out, because it is not what the group is for or follows from the rest. Elsewhere more is
 * needed than platforms check: a discovery whose results cannot be fetched is of no use.
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
