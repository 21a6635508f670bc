// Accounts that clients created on the ACME server, as shown to administrators.
import { z } from 'zod';
import { AccountStatus } from '../enums/protocols.ts';
import type { AdditionalPermission, Permission } from '../operation.ts';
import type { Action } from './resource-actions.ts';
import { objectErrors, operations } from '../operations.ts';
import { int32 } from '../primitives.ts';
import { UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';

const listed = {
  /** Account identifier as used in ACME URLs. */
  accountId: z.string(),
  uuid: z.string(),
  enabled: z.boolean(),
  totalOrders: int32(),
  status: AccountStatus,
  raProfile: SimplifiedRaProfileDto.optional(),
  acmeProfileName: z.string().optional(),
  acmeProfileUuid: z.string().optional(),
};

export const AcmeAccountListResponseDto = z.object(listed).meta({ id: 'AcmeAccountListResponseDto' });
export type AcmeAccountListResponseDto = z.output<typeof AcmeAccountListResponseDto>;

export const AcmeAccountResponseDto = z
  .object({
    ...listed,
    /** Number of orders that resulted in a certificate; same as `validOrders`. */
    successfulOrders: int32(),
    failedOrders: int32(),
    /** Number of orders waiting for their client, including those in the state `ready`. */
    pendingOrders: int32(),
    validOrders: int32(),
    processingOrders: int32(),
    contact: z.array(z.string()),
    termsOfServiceAgreed: z.boolean(),
    /** External account binding key with which the account was created. Not part of the published interface. */
    externalAccountKeyId: z.string().optional(),
  })
  .meta({ id: 'AcmeAccountResponseDto' });
export type AcmeAccountResponseDto = z.output<typeof AcmeAccountResponseDto>;

/** Permission for the action on the account, and permission to see its profile. */
const accountPermission = (action: Action): Permission => ({
  resource: 'acmeAccounts',
  action,
  object: 'acmeAccountUuid',
  parent: { resource: 'acmeProfiles', action: 'detail', object: 'acmeProfileUuid' },
});

/** If a body identifies accounts, their profiles are looked up. */
const ofTheirProfiles: readonly AdditionalPermission[] = [
  { resource: 'acmeProfiles', action: 'detail', where: 'the account exists, on its profile' },
];

export const acmeAccountOperations = operations(
  { tag: 'ACME Account Management', resource: 'acmeAccounts', module: 'protocols', errors: objectErrors },
  {
    listAcmeAccounts: {
      route: 'GET /v1/acmeAccounts',
      summary: 'List ACME Accounts',
      answer: z.array(AcmeAccountListResponseDto),
      access: {
        action: 'list',
        parent: { resource: 'acmeProfiles', action: 'list', filtered: true },
      },
    },
    getAcmeAccount: {
      route: 'GET /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}',
      summary: 'Details of ACME Account',
      answer: AcmeAccountResponseDto,
      access: accountPermission('detail'),
    },
    revokeAcmeAccount: {
      route: 'POST /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}',
      summary: 'Revoke ACME Account',
      access: accountPermission('revoke'),
      audit: 'revoke',
    },
    enableAcmeAccount: {
      route: 'PATCH /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}/enable',
      summary: 'Enable ACME Account',
      access: accountPermission('enable'),
      audit: 'enable',
    },
    disableAcmeAccount: {
      route: 'PATCH /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}/disable',
      summary: 'Disable ACME Account',
      access: accountPermission('enable'),
      audit: 'disable',
    },
    bulkRevokeAcmeAccount: {
      route: 'PUT /v1/acmeAccounts/revoke',
      summary: 'Revoke multiple ACME Accounts',
      body: UuidList,
      access: { action: 'revoke' },
      also: ofTheirProfiles,
      audit: 'revoke',
    },
    bulkEnableAcmeAccount: {
      route: 'PATCH /v1/acmeAccounts/enable',
      summary: 'Enable multiple ACME Accounts',
      body: UuidList,
      access: { action: 'enable' },
      also: ofTheirProfiles,
      audit: 'enable',
    },
    bulkDisableAcmeAccount: {
      route: 'PATCH /v1/acmeAccounts/disable',
      summary: 'Disable multiple ACME Accounts',
      body: UuidList,
      access: { action: 'enable' },
      also: ofTheirProfiles,
      audit: 'disable',
    },
  },
);
