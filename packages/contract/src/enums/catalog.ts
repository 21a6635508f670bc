// The catalog of enumerations that `GET /v1/enums` returns, in its published order.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';
import type { Enumeration } from '../enumeration.ts';
import { Resource, ResourceAction } from '../platform/resource.ts';
import { FilterConditionOperator, FilterFieldSource, FilterFieldType } from './search.ts';
import { SettingsSection } from './settings.ts';
import { AuthType, ConnectorStatus, FunctionGroupCode, HealthStatus } from './connectors.ts';
import {
  CertificateFormat,
  CertificateFormatEncoding,
  CertificateKeyUsage,
  CertificateProtocol,
  CertificateRelationType,
  CertificateRequestFormat,
  CertificateRevocationReason,
  CertificateState,
  CertificateSubjectType,
  CertificateType,
  CertificateValidationCheck,
  CertificateValidationStatus,
} from './certificates.ts';
import { DiscoveryStatus, SchedulerJobExecutionStatus } from './jobs.ts';
import { OidCategory } from './oids.ts';
import {
  DigestAlgorithm,
  KeyAlgorithm,
  KeyCompromiseReason,
  KeyFormat,
  KeyRequestType,
  KeyState,
  KeyType,
  KeyUsage,
  RsaEncryptionScheme,
  RsaSignatureScheme,
  TokenInstanceStatus,
} from './keys.ts';
import { ComplianceRuleStatus, ComplianceStatus } from './compliance.ts';
import { AccountStatus, CmpProfileVariant, ProtectionMethod } from './protocols.ts';
import {
  AttributeConstraintType,
  AttributeContentType,
  AttributeType,
  AttributeValueTarget,
  ProgrammingLanguageEnum,
} from './attributes.ts';
import { RecipientType } from './notifications.ts';
import { ConditionType, ExecutionType, ResourceEvent, TriggerType } from './workflows.ts';
import { ActorType, AuditModule, AuditOperation, AuthMethod, OperationResult } from '../platform/audit-vocabulary.ts';
import { ApprovalStatusEnum } from './approvals.ts';

/** Names of the cataloged enumerations, each with a label. */
export const PlatformEnum = enumeration('PlatformEnum', {
  Resource: 'Platform resource',
  ResourceAction: 'Actions for a Resource',
  FilterConditionOperator: 'Filter condition operator',
  FilterFieldType: 'Filter field type',
  FilterFieldSource: 'Filter field source',
  SettingsSection: 'Settings section',
  AuthType: 'Authentication type',
  HealthStatus: 'Health status',
  ConnectorStatus: 'Connector status',
  FunctionGroupCode: 'Connector function group',
  CertificateType: 'Certificate type',
  CertificateState: 'Certificate state',
  CertificateValidationStatus: 'Certificate validation status',
  CertificateFormat: 'Certificate format',
  CertificateFormatEncoding: 'Certificate format encoding',
  CertificateValidationCheck: 'Certificate validation check type',
  CertificateRevocationReason: 'Certificate revocation reason',
  CertificateRequestFormat: 'Certificate request format',
  DiscoveryStatus: 'Discovery status',
  CertificateProtocol: 'Protocol used to issue certificate',
  CertificateSubjectType: 'Subject Type of certificate',
  CertificateKeyUsage: 'Key Usage of Certificate',
  CertificateRelationType: 'Type of relation between successor and predecessor certificate',
  OidCategory: 'OID Category',
  KeyAlgorithm: 'Cryptographic key algorithm',
  KeyFormat: 'Key format type',
  KeyState: 'Key state',
  KeyType: 'Key type',
  KeyUsage: 'Key usage',
  KeyRequestType: 'Key request type',
  KeyCompromiseReason: 'Key compromise reason',
  TokenInstanceStatus: 'Token instance status',
  DigestAlgorithm: 'Digest algorithm',
  RsaSignatureScheme: 'RSA signature scheme',
  RsaEncryptionScheme: 'RSA encryption scheme',
  ComplianceStatus: 'Compliance status',
  ComplianceRuleStatus: 'Compliance rule status',
  AccountStatus: 'ACME Account status',
  ProtectionMethod: 'CMP protection method',
  CmpProfileVariant: 'CMP protocol variant',
  AttributeType: 'Attribute Type',
  AttributeContentType: 'Attribute content type',
  AttributeConstraintType: 'Attribute constraint type',
  AttributeValueTarget: 'Attribute callback mapping value target',
  ProgrammingLanguageEnum: 'Programming language for code block attribute',
  SchedulerJobExecutionStatus: 'Scheduled job execution status',
  RecipientType: 'Recipient type',
  TriggerType: 'Trigger Type',
  ConditionType: 'Condition Type',
  ExecutionType: 'Execution Type',
  ResourceEvent: 'Events available for a resource',
  Module: 'Platform module',
  ActorType: 'Actor type',
  AuthMethod: 'Actor auth method',
  Operation: 'Log operation',
  OperationResult: 'Log operation result',
  ApprovalStatusEnum: 'Approval Status',
});
export type PlatformEnum = z.output<typeof PlatformEnum>;

/** All enumerations in the catalog, by name. */
export const platformEnums: Readonly<Record<PlatformEnum, Enumeration>> = {
  Resource,
  ResourceAction,
  FilterConditionOperator,
  FilterFieldType,
  FilterFieldSource,
  SettingsSection,
  AuthType,
  HealthStatus,
  ConnectorStatus,
  FunctionGroupCode,
  CertificateType,
  CertificateState,
  CertificateValidationStatus,
  CertificateFormat,
  CertificateFormatEncoding,
  CertificateValidationCheck,
  CertificateRevocationReason,
  CertificateRequestFormat,
  DiscoveryStatus,
  CertificateProtocol,
  CertificateSubjectType,
  CertificateKeyUsage,
  CertificateRelationType,
  OidCategory,
  KeyAlgorithm,
  KeyFormat,
  KeyState,
  KeyType,
  KeyUsage,
  KeyRequestType,
  KeyCompromiseReason,
  TokenInstanceStatus,
  DigestAlgorithm,
  RsaSignatureScheme,
  RsaEncryptionScheme,
  ComplianceStatus,
  ComplianceRuleStatus,
  AccountStatus,
  ProtectionMethod,
  CmpProfileVariant,
  AttributeType,
  AttributeContentType,
  AttributeConstraintType,
  AttributeValueTarget,
  ProgrammingLanguageEnum,
  SchedulerJobExecutionStatus,
  RecipientType,
  TriggerType,
  ConditionType,
  ExecutionType,
  ResourceEvent,
  Module: AuditModule,
  ActorType,
  AuthMethod,
  Operation: AuditOperation,
  OperationResult,
  ApprovalStatusEnum,
};

export interface EnumItem {
  readonly code: string;
  readonly label: string;
  readonly description?: string;
}

/** Returns the response for `GET /v1/enums`: enumeration -> code -> item. */
export function buildEnumCatalog(): Record<PlatformEnum, Record<string, EnumItem>> {
  const items = (schema: Enumeration) =>
    Object.fromEntries(Object.entries(schema.labels).map(([code, label]) => [code, { code, label }]));
  const entries = Object.entries(platformEnums).map(([name, schema]) => [name, items(schema)] as const);
  // The entries have the same keys as `platformEnums`.
  return Object.fromEntries(entries) as Record<PlatformEnum, Record<string, EnumItem>>;
}
