// Accounts that clients created with the ACME server, as administrators see and revoke them.
import { z } from 'zod';
import { AccountStatus } from '../enums/protocols.ts';
import type { FurtherPermission, Permission } from '../operation.ts';
import type { Action } from './resource-actions.ts';
import { objectErrors, operations } from '../operations.ts';
import { int32 } from '../primitives.ts';
import { UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';

const listed = {
  /** As in URLs of the protocol. */
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
    /** Completed with a certificate; the same number as `validOrders`. */
    successfulOrders: int32(),
    failedOrders: int32(),
    /** Orders that wait for their client, ready ones included. */
    pendingOrders: int32(),
    validOrders: int32(),
    processingOrders: int32(),
    contact: z.array(z.string()),
    termsOfServiceAgreed: z.boolean(),
    /** Beyond the published interface: the external account binding key that the account was created with. */
    externalAccountKeyId: z.string().optional(),
  })
  .meta({ id: 'AcmeAccountResponseDto' });
export type AcmeAccountResponseDto = z.output<typeof AcmeAccountResponseDto>;

/** The action on the account, and the right to see its profile. */
const accountOfProfile = (action: Action): Permission => ({
  resource: 'acmeAccounts',
  action,
  object: 'acmeAccountUuid',
  parent: { resource: 'acmeProfiles', action: 'detail', object: 'acmeProfileUuid' },
});

/** Accounts named in a body have their profiles looked up. */
const ofTheirProfiles: readonly FurtherPermission[] = [
  { resource: 'acmeProfiles', action: 'detail', where: 'an account is known, on its profile' },
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
      access: accountOfProfile('detail'),
    },
    revokeAcmeAccount: {
      route: 'POST /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}',
      summary: 'Revoke ACME Account',
      access: accountOfProfile('revoke'),
      audit: 'revoke',
    },
    enableAcmeAccount: {
      route: 'PATCH /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}/enable',
      summary: 'Enable ACME Account',
      access: accountOfProfile('enable'),
      audit: 'enable',
    },
    disableAcmeAccount: {
      route: 'PATCH /v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}/disable',
      summary: 'Disable ACME Account',
      access: accountOfProfile('enable'),
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
