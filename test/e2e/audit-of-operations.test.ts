// Goal: every operation that changes state leaves one audit record, with its declared facts and the objects concerned.
// Method: each operation is called once with existing objects; its record is compared with the table.
import type { Client } from '@signetry/client';
import { platformOperations, type AuditFacts, type Operation } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCallMaker, destructiveLast, type CallMaker, type OperationKey } from './testing/declared-calls.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';

const server = sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS });
let callOf: CallMaker;

beforeAll(async () => {
  callOf = await createCallMaker(server);
});

interface AuditRow {
  readonly module: string;
  readonly resource: string;
  readonly operation: string;
  readonly operation_result: 'success' | 'failure';
  readonly resource_objects: readonly { readonly uuid?: string; readonly name?: string }[] | null;
  readonly affiliated_resource: string | null;
  readonly affiliated_objects: readonly { readonly uuid?: string; readonly name?: string }[] | null;
  readonly message: string | null;
  readonly actor_name: string;
  readonly source_path: string;
}

const database = () => server.running.platform.database;

async function newestId(): Promise<number> {
  const [row] = await database().query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM audit_record');
  return row?.id ?? 0;
}

/** Error of the call, and the records that it left. */
async function recordsOf(key: OperationKey): Promise<{ refusal: string | undefined; records: readonly AuditRow[] }> {
  const { access } = platformOperations[key] as Operation;
  if (typeof access === 'object' && access.resource === 'keys') await callOf.useFreshKey(!key.startsWith('enable'));
  const last = await newestId();
  const call = callOf(key) as unknown as Parameters<Client['call']>[1]; // Built from schema names.
  const refusal = await server.client.call(platformOperations[key] as Operation, call).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  // Background jobs of the platform have their own records.
  const records = await database().query<AuditRow>(
    `SELECT * FROM audit_record WHERE id > $1 AND actor_type <> 'core' ORDER BY id`,
    [last],
  );
  return { refusal, records };
}

/** Further changes: a certificate is requested before it is issued, and an association is removed with its object. */
const FURTHER: Partial<Readonly<Record<OperationKey, readonly string[]>>> = {
  issueCertificate: ['certificates request'],
  renewCertificate: ['certificates request'],
  rekeyCertificate: ['certificates request'],
  issueLegacyCertificate: ['certificates request'],
  deleteRaProfileWithoutAuthority: [
    'acmeProfiles update',
    'cmpProfiles update',
    'scepProfiles update',
    'raProfiles update',
  ],
  revokeAndDeleteEndEntity: ['certificates revoke'],
  issueCertificateToLocation: ['certificates request', 'certificates issue'],
};

/** Calls without any change leave no record. */
const CHANGES_NOTHING: readonly OperationKey[] = [
  'bulkDisableCustomAttributes',
  'bulkDisableRaProfile',
  'bulkApproveConnector',
  'bulkApproveV2',
  'bulkEnableAcmeProfile',
  'bulkEnableCmpProfile',
  'bulkEnableScepProfile',
  'bulkEnableEstProfiles',
  'bulkDisableAcmeProfile',
  'bulkDisableCmpProfile',
  'bulkDisableScepProfile',
  'bulkDisableEstProfiles',
  'enableAcmeAccount',
  'bulkEnableAcmeAccount',
  'bulkDisableAcmeAccount',
  'bulkRevokeAcmeAccount',
  'enableUser',
  'updateRoleUsers',
  // The objects are already deleted, or rejected one by one in the response.
  'bulkUpdateCertificateObjects',
  'updateManyCertificates',
  'deleteManyCertificates',
  'bulkMarkNotificationAsRead',
  'bulkDeleteNotification',
  'stopCertificateChange',
  'stopDiscovery',
  'stopComplianceRun',
  'importCertificates',
  // A SCEP profile already has a certificate of the authority.
  'ensureScepRaCertificate',
  'bulkDeleteAcmeProfile',
  'bulkDeleteCmpProfile',
  'bulkDeleteScepProfile',
  'bulkDeleteEstProfiles',
  'forceDeleteACMEProfiles',
  'forceDeleteCmpProfiles',
  'forceDeleteScepProfiles',
  'bulkDeleteCertificate',
  'bulkDeleteDiscovery',
  'bulkDeleteGroup',
  'bulkDeleteCustomOidEntry',
  'bulkDeleteCustomAttributes',
  'bulkDeleteGlobalMetadata',
  'bulkDeleteConnector',
  'bulkDeleteConnectorV2',
  'bulkForceDeleteConnectorV2',
  'forceDeleteConnector',
  'bulkDeleteCredential',
  'bulkDeleteAuthorityInstance',
  'bulkDeleteRaProfile',
  'bulkDeleteTokenProfiles',
  'bulkDeleteComplianceProfiles',
  'forceDeleteComplianceProfiles',
  'bulkDeleteComplianceProfilesV2',
  'forceDeleteComplianceProfilesV2',
];

/** Operations that do not concern a single object. */
const WITHOUT_OBJECTS: readonly OperationKey[] = [
  'exportAuditLogs',
  'exportAuditLogLines',
  'exportCertificates',
  'purgeAuditLogs',
  'rebuildStatistics',
  'checkDerivedData',
  'startValidationRun',
  'syncKeys',
];

/** Operations with an affiliated object. */
const AFFILIATED: Partial<Readonly<Record<OperationKey, AuditFacts['resource']>>> = {
  syncKeys: 'tokens',
  updateAttributeContentForResource: 'groups',
  deleteAttributeContentForResource: 'groups',
  activateAcmeForRaProfile: 'acmeProfiles',
  deactivateAcmeForRaProfile: 'acmeProfiles',
  createAcmeProfile: 'raProfiles',
  editAcmeProfile: 'raProfiles',
  updateRaProfile_AcmeProfile: 'raProfiles',
  activateCmpForRaProfile: 'cmpProfiles',
  deactivateCmpForRaProfile: 'cmpProfiles',
  createCmpProfile: 'raProfiles',
  editCmpProfile: 'raProfiles',
  updateRaProfile_CmpProfile: 'raProfiles',
  activateScepForRaProfile: 'scepProfiles',
  deactivateScepForRaProfile: 'scepProfiles',
  createScepProfile: 'raProfiles',
  editScepProfile: 'raProfiles',
  updateRaProfile_ScepProfile: 'raProfiles',
  activateEstForRaProfile: 'raProfiles',
  deactivateEstForRaProfile: 'raProfiles',
  createEstProfile: 'raProfiles',
  editEstProfile: 'raProfiles',
  updateEstProfileRaProfile: 'raProfiles',
  issueCertificate: 'raProfiles',
  renewCertificate: 'raProfiles',
  rekeyCertificate: 'raProfiles',
  issueLegacyCertificate: 'raProfiles',
  revokeCertificate: 'raProfiles',
  addEndEntity: 'raProfiles',
  editEndEntity: 'raProfiles',
  resetPassword: 'raProfiles',
  revokeAndDeleteEndEntity: 'raProfiles',
  updateUserRoles: 'roles',
  addUserRole: 'roles',
  removeUserRole: 'roles',
  associateRAProfileWithApprovalProfile: 'approvalProfiles',
  disassociateRAProfileFromApprovalProfile: 'approvalProfiles',
  associateEventTriggers: 'raProfiles',
  revokeAcmeAccount: 'acmeProfiles',
  disableAcmeAccount: 'acmeProfiles',
  exportCertificateWithKey: 'keys',
};

/** Called while the objects that they need still exist. */
const EARLIER: readonly OperationKey[] = [
  'updateUserRoles',
  'removeUserRole',
  'addUserRole',
  'updateAttributeContentForResource',
  'deleteAttributeContentForResource',
  'requestEarlyRenewal',
  'withdrawEarlyRenewal',
  'issueCertificate',
  'revokeCertificate',
];

// The object has only these keys.
const changing = (Object.keys(platformOperations) as OperationKey[]).filter(
  (key) => (platformOperations[key] as Operation).audit !== undefined,
);
const keys = [...EARLIER, ...destructiveLast(changing.filter((key) => !EARLIER.includes(key)))];

const factsOf = ({ module, resource, operation }: AuditRow): AuditFacts =>
  ({ module, resource, operation }) as AuditFacts;

function expectRecorded(key: OperationKey, records: readonly AuditRow[]): void {
  const { audit } = platformOperations[key] as Operation;
  const further = FURTHER[key] ?? [];
  const isFurther = ({ resource, operation }: AuditRow) => further.includes(`${resource} ${operation}`);
  const [record, ...others] = records.filter((each) => !isFurther(each));
  expect.soft(record, `${key} left no record`).toBeDefined();
  if (!record) return;
  expect.soft(others, `${key} left more than one record`).toEqual([]);
  expect.soft(records, `${key} left no record of ${further}`).toHaveLength(1 + further.length);
  expect.soft(factsOf(record), key).toEqual(audit);
  expect.soft([record.operation_result, record.message, record.actor_name], key).toEqual(['success', null, 'admin']);
  if (!WITHOUT_OBJECTS.includes(key))
    expect.soft(record.resource_objects?.[0]?.name, `${key} names no object`).toBeTruthy();
  const affiliated = record.affiliated_resource ?? undefined;
  expect.soft(affiliated, `${key} tells of ${affiliated} as the second party`).toBe(AFFILIATED[key]);
  if (affiliated) expect.soft(record.affiliated_objects?.[0]?.uuid, key).toBeTruthy();
}

function expectRejected(key: OperationKey, refusal: string, records: readonly AuditRow[]): void {
  const operation = platformOperations[key] as Operation;
  const { access, audit } = operation;
  expect.soft(records, `${key}: ${refusal}`).toHaveLength(1);
  const [record] = records;
  expect.soft(record && factsOf(record), key).toEqual(audit);
  expect.soft(record, key).toMatchObject({ operation_result: 'failure', message: refusal });
  const named = typeof access === 'object' && access.object !== undefined && access.resource === audit?.resource;
  if (named) expect.soft(record?.resource_objects?.[0]?.uuid, `${key} names no object`).toBeTruthy();
}

describe("an operation's audit record", () => {
  it(
    'is created only once, with its declared facts and objects, whether the operation succeeds or is rejected',
    { timeout: 240_000 },
    async () => {
      const outcomes = { success: 0, failure: 0 };
      for (const key of keys) {
        const { refusal, records } = await recordsOf(key);
        outcomes[refusal === undefined ? 'success' : 'failure'] += 1;
        if (refusal !== undefined) expectRejected(key, refusal, records);
        else if (CHANGES_NOTHING.includes(key)) expect.soft(records, key).toEqual([]);
        else expectRecorded(key, records);
      }
      // Otherwise the test would have little value.
      expect(outcomes.success).toBeGreaterThan(outcomes.failure * 3);
    },
  );
});
