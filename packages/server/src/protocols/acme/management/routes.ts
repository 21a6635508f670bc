// Operations on the protocol's data: accounts, orders and renewal windows.
import {
  acmeAccountOperations,
  acmeAccountSearchOperations,
  acmeOrderOperations,
  certificateRenewalOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../../platform/http/routes.ts';
import type { RenewalWindows } from '../certificates/renewal-windows.ts';
import type { AccountQueries } from './accounts.ts';
import type { AccountChanges } from './change-accounts.ts';
import type { OrderList } from './list-orders.ts';

export interface ManagementServices {
  readonly accounts: AccountQueries & AccountChanges;
  readonly orders: OrderList;
  readonly renewalWindows: RenewalWindows;
}

export const managementRoutes = (services: ManagementServices): readonly Route[] => [
  ...accountRoutes(services),
  ...routes(acmeAccountSearchOperations, {
    findAcmeAccounts: ({ query, context }) => services.accounts.find(query, context),
  }),
  ...routes(acmeOrderOperations, {
    listAcmeOrders: ({ params, query }) => services.orders(params.uuid, query),
  }),
  ...renewalRoutes(services),
];

const accountRoutes = ({ accounts }: ManagementServices): readonly Route[] =>
  routes(acmeAccountOperations, {
    listAcmeAccounts: ({ context }) => accounts.list(context),
    getAcmeAccount: ({ params }) => accounts.detail(params),
    revokeAcmeAccount: ({ params, context }) => accounts.revoke(params, context),
    enableAcmeAccount: ({ params, context }) => accounts.setEnabled(params, true, context),
    disableAcmeAccount: ({ params, context }) => accounts.setEnabled(params, false, context),
    bulkRevokeAcmeAccount: ({ body, context }) => accounts.revokeMany(body, context),
    bulkEnableAcmeAccount: ({ body, context }) => accounts.setEnabledMany(body, true, context),
    bulkDisableAcmeAccount: ({ body, context }) => accounts.setEnabledMany(body, false, context),
  });

const renewalRoutes = ({ renewalWindows }: ManagementServices): readonly Route[] =>
  routes(certificateRenewalOperations, {
    getRenewalWindow: ({ params, context }) => renewalWindows.detail(params.uuid, context),
    withdrawEarlyRenewal: ({ params, context }) => renewalWindows.withdraw(params.uuid, context),
    requestEarlyRenewal: ({ body, context }) => renewalWindows.askEarly(body, context),
  });
