// Accounts that clients made with the ACME server, as administrators see and stop them.
import { z } from 'zod';
import { AccountStatus } from '../enums/protocols.ts';
import { operation, type Action, type FurtherPermission, type Permission } from '../operation.ts';
import { int32, uuid } from '../primitives.ts';
import { UuidList } from '../shared/objects.ts';
import { SimplifiedRaProfileDto } from '../shared/ra-profile-reference.ts';

const listed = {
  /** As it stands in URLs of the protocol. */
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
    /** Ended with a certificate; the same number as `validOrders`. */
    successfulOrders: int32(),
    failedOrders: int32(),
    /** Orders that wait for their client, ready ones included. */
    pendingOrders: int32(),
    validOrders: int32(),
    processingOrders: int32(),
    contact: z.array(z.string()),
    termsOfServiceAgreed: z.boolean(),
    /** Beyond the published interface: the key of external account binding that the account was made with. */
    externalAccountKeyId: z.string().optional(),
  })
  .meta({ id: 'AcmeAccountResponseDto' });
export type AcmeAccountResponseDto = z.output<typeof AcmeAccountResponseDto>;

const tag = 'ACME Account Management';
const accountParams = z.object({ acmeProfileUuid: uuid(), acmeAccountUuid: uuid() });
const audited = { module: 'protocols', resource: 'acmeAccounts' } as const;

/** The action on the account, and sight of its profile. */
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

export const acmeAccountOperations = {
  listAcmeAccounts: operation({
    id: 'listAcmeAccounts',
    summary: 'List ACME Accounts',
    tag,
    method: 'GET',
    path: '/v1/acmeAccounts',
    success: { status: 200, body: z.array(AcmeAccountListResponseDto) },
    errors: [400, 401, 403, 404, 500],
    access: {
      resource: 'acmeAccounts',
      action: 'list',
      parent: { resource: 'acmeProfiles', action: 'list', filtered: true },
    },
  }),
  getAcmeAccount: operation({
    id: 'getAcmeAccount',
    summary: 'Details of ACME Account',
    tag,
    method: 'GET',
    path: '/v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}',
    params: accountParams,
    success: { status: 200, body: AcmeAccountResponseDto },
    errors: [400, 401, 403, 404, 500],
    access: accountOfProfile('detail'),
  }),
  revokeAcmeAccount: operation({
    id: 'revokeAcmeAccount',
    summary: 'Revoke ACME Account',
    tag,
    method: 'POST',
    path: '/v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}',
    params: accountParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: accountOfProfile('revoke'),
    audit: { ...audited, operation: 'revoke' },
  }),
  enableAcmeAccount: operation({
    id: 'enableAcmeAccount',
    summary: 'Enable ACME Account',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}/enable',
    params: accountParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: accountOfProfile('enable'),
    audit: { ...audited, operation: 'enable' },
  }),
  disableAcmeAccount: operation({
    id: 'disableAcmeAccount',
    summary: 'Disable ACME Account',
    tag,
    method: 'PATCH',
    path: '/v1/acmeProfiles/{acmeProfileUuid}/acmeAccounts/{acmeAccountUuid}/disable',
    params: accountParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: accountOfProfile('enable'),
    audit: { ...audited, operation: 'disable' },
  }),
  bulkRevokeAcmeAccount: operation({
    id: 'bulkRevokeAcmeAccount',
    summary: 'Revoke multiple ACME Accounts',
    tag,
    method: 'PUT',
    path: '/v1/acmeAccounts/revoke',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeAccounts', action: 'revoke' },
    also: ofTheirProfiles,
    audit: { ...audited, operation: 'revoke' },
  }),
  bulkEnableAcmeAccount: operation({
    id: 'bulkEnableAcmeAccount',
    summary: 'Enable multiple ACME Accounts',
    tag,
    method: 'PATCH',
    path: '/v1/acmeAccounts/enable',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeAccounts', action: 'enable' },
    also: ofTheirProfiles,
    audit: { ...audited, operation: 'enable' },
  }),
  bulkDisableAcmeAccount: operation({
    id: 'bulkDisableAcmeAccount',
    summary: 'Disable multiple ACME Accounts',
    tag,
    method: 'PATCH',
    path: '/v1/acmeAccounts/disable',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeAccounts', action: 'enable' },
    also: ofTheirProfiles,
    audit: { ...audited, operation: 'disable' },
  }),
};
