// The vocabulary of audit records: actors, authentication methods, operations and results.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/** Part of the platform to which a record belongs. */
export const AuditModule = enumeration('Module', {
  approvals: 'Approvals',
  auth: 'Auth',
  certificates: 'Certificates',
  keys: 'Cryptographic keys',
  compliance: 'Compliance',
  core: 'Core',
  discovery: 'Discovery',
  entities: 'Entities',
  protocols: 'Protocols',
  scheduler: 'Scheduler',
  workflows: 'Workflows',
});
export type AuditModule = z.output<typeof AuditModule>;

export const AuditOperation = enumeration('Operation', {
  unknown: 'Unknown',
  list: 'List',
  detail: 'Detail',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  forceDelete: 'Force delete',
  add: 'Add',
  remove: 'Remove',
  request: 'Request',
  register: 'Register',
  enable: 'Enable',
  disable: 'Disable',
  activate: 'Activate',
  deactivate: 'Deactivate',
  listAssociations: 'List associations',
  associate: 'Associate',
  disassociate: 'Disassociate',
  history: 'History',
  summary: 'Summary',
  listRules: 'List rules',
  getComplianceResult: 'Get compliance result',
  checkCompliance: 'Check compliance',
  checkValidation: 'Check validation',
  issue: 'Issue',
  renew: 'Renew',
  rekey: 'Rekey',
  revoke: 'Revoke',
  export: 'Export',
  getStatus: 'Get status',
  getContent: 'Get content',
  getChain: 'Get chain',
  download: 'Download',
  downloadChain: 'Download chain',
  getProtocolInfo: 'Get protocol info',
  listProtocolCertificates: 'List protocol certificates',
  updateProtocolIssueProfile: 'Update protocol issue profile',
  activateProtocol: 'Activate protocol',
  deactivateProtocol: 'Deactivate protocol',
  acmeDirectory: 'ACME directory',
  acmeNonce: 'ACME nonce',
  acmeKeyRollover: 'ACME key rollover',
  acmeValidate: 'ACME validate',
  acmeFinalize: 'ACME finalize',
  scepCaCapabilities: 'SCEP CA Capabilities',
  scepCertificatePoll: 'SCEP Certificate Poll',
  scepTransactionCheck: 'SCEP Transaction check',
  cmpConfirm: 'CMP confirm',
  upload: 'Upload',
  sync: 'Sync',
  compromise: 'Compromise',
  destroy: 'Destroy',
  updateKeyUsage: 'Update key usage',
  encrypt: 'Encrypt',
  decrypt: 'Decrypt',
  sign: 'Sign',
  verify: 'Verify',
  randomData: 'Generate random data',
  pushToLocation: 'Push to location',
  removeFromLocation: 'Remove from location',
  issueInLocation: 'Issue in location',
  renewInLocation: 'Renew in location',
  connect: 'Connect',
  reconnect: 'Reconnect',
  checkHealth: 'Check health',
  statistics: 'Statistics',
  approve: 'Approve',
  approveOverride: 'Approve override',
  reject: 'Reject',
  rejectOverride: 'Reject override',
  login: 'Login',
  logout: 'Logout',
  authentication: 'Authentication',
  getUserProfile: 'Get user profile',
  updateUserProfile: 'Update user profile',
  identify: 'Identify',
  markAsRead: 'Mark as read',
  getPermissions: 'Get permissions',
  getObjectPermissions: 'Get object permissions',
  updatePermissions: 'Update permissions',
  updateObjectPermissions: 'Update object permissions',
  schedule: 'Schedule',
  listAttributes: 'List attributes',
  validateAttributes: 'Validate attributes',
  attributeCallback: 'Attribute callback',
  updateAttributeResources: 'Update attribute resources',
  updateAttributeContent: 'Update attribute content',
  deleteAttributeContent: 'Delete attribute content',
  promoteMetadata: 'Promote metadata',
  archive: 'Archive certificate',
  unarchive: 'Unarchive certificate',
  getAssociations: 'Get associations',
  listCertificateProfiles: 'List Certificate profiles',
  listCas: 'List CAs',
});
export type AuditOperation = z.output<typeof AuditOperation>;

export const OperationResult = enumeration('OperationResult', {
  success: 'Success',
  failure: 'Failure',
});
export type OperationResult = z.output<typeof OperationResult>;

export const ActorType = enumeration('ActorType', {
  anonymous: 'Anonymous',
  core: 'Core',
  user: 'User',
  connector: 'Connector',
  protocol: 'Protocol',
});
export type ActorType = z.output<typeof ActorType>;

/** How the actor was authenticated. */
export const AuthMethod = enumeration('AuthMethod', {
  none: 'None',
  certificate: 'Certificate',
  token: 'Token',
  session: 'Session',
  apiKey: 'API Key',
  userProxy: 'User proxy',
});
export type AuthMethod = z.output<typeof AuthMethod>;

/** Destination of audit records. */
export const AuditLogOutput = enumeration('AuditLogOutput', {
  NONE: 'None',
  ALL: 'All',
  CONSOLE: 'Console',
  DATABASE: 'Database',
});
export type AuditLogOutput = z.output<typeof AuditLogOutput>;
