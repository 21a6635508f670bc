// Operations that manage ACME: those of the interface, and ours.
import {
  acmeAccountOperations,
  acmeEabKeyOperations,
  acmeOrderOperations,
  acmeProfileOperations,
  certificateRenewalOperations,
  raProfileAcmeOperations,
} from '@signetry/contract';
import { answer, routes, type Route } from '../../platform/http/routes.ts';
import type { AccountManagement } from './management/accounts.ts';
import type { ActivationService } from './activation/service.ts';
import type { RenewalWindows } from './certificates/renewal-windows.ts';
import type { EabKeys } from './eab-keys/service.ts';
import type { OrderList } from './management/list-orders.ts';
import type { AcmeProfileRemoval } from './profiles/remove-profiles.ts';
import type { AcmeProfileService } from './profiles/service.ts';

export interface ManagementServices {
  readonly profiles: AcmeProfileService;
  readonly removal: AcmeProfileRemoval;
  readonly activation: ActivationService;
  readonly accounts: AccountManagement;
  readonly eabKeys: EabKeys;
  readonly orders: OrderList;
  readonly renewalWindows: RenewalWindows;
}

export const managementRoutes = (services: ManagementServices): readonly Route[] => [
  ...profileRoutes(services),
  ...activationRoutes(services),
  ...accountRoutes(services),
  ...eabKeyRoutes(services),
  ...routes(acmeOrderOperations, {
    listAcmeOrders: ({ params, query }) => services.orders(params.uuid, query),
  }),
  ...renewalRoutes(services),
];

const profileRoutes = ({ profiles, removal }: ManagementServices): readonly Route[] =>
  routes(acmeProfileOperations, {
    listAcmeProfiles: () => profiles.list(),
    createAcmeProfile: async ({ body, context }) => ({ uuid: await profiles.create(body, context) }),
    getAcmeProfile: ({ params }) => profiles.detail(params.uuid),
    editAcmeProfile: ({ params, body, context }) => profiles.edit(params.uuid, body, context),
    deleteAcmeProfile: ({ params, context }) => removal.remove(params.uuid, context),
    bulkDeleteAcmeProfile: ({ body, context }) => removal.removeMany(body, { context, force: false }),
    forceDeleteACMEProfiles: ({ body, context }) => removal.removeMany(body, { context, force: true }),
    enableAcmeProfile: ({ params, context }) => profiles.setEnabled(params.uuid, true, context),
    disableAcmeProfile: ({ params, context }) => profiles.setEnabled(params.uuid, false, context),
    bulkEnableAcmeProfile: ({ body, context }) => profiles.setEnabledMany(body, true, context),
    bulkDisableAcmeProfile: ({ body, context }) => profiles.setEnabledMany(body, false, context),
    updateRaProfile_AcmeProfile: ({ params, context }) =>
      profiles.setRaProfile(params.uuid, params.raProfileUuid, context),
  });

const activationRoutes = ({ activation }: ManagementServices): readonly Route[] =>
  routes(raProfileAcmeOperations, {
    getAcmeForRaProfile: ({ params }) => activation.detail(params),
    activateAcmeForRaProfile: ({ params, body, context }) => activation.activate(params, body, context),
    deactivateAcmeForRaProfile: ({ params, context }) => activation.deactivate(params, context),
  });

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

const eabKeyRoutes = ({ eabKeys }: ManagementServices): readonly Route[] =>
  routes(acmeEabKeyOperations, {
    listAcmeEabKeys: ({ params }) => eabKeys.list(params.uuid),
    createAcmeEabKey: async ({ params, body, context }) => {
      const { key, macKey } = await eabKeys.create(params.uuid, body, context);
      return answer({ ...key, macKey: macKey.reveal() }, NOT_STORED);
    },
    revokeAcmeEabKey: ({ params, context }) =>
      eabKeys.revoke({ acmeProfileUuid: params.uuid, keyUuid: params.keyUuid }, context),
  });

const renewalRoutes = ({ renewalWindows }: ManagementServices): readonly Route[] =>
  routes(certificateRenewalOperations, {
    getRenewalWindow: ({ params, context }) => renewalWindows.detail(params.uuid, context),
    withdrawEarlyRenewal: ({ params, context }) => renewalWindows.withdraw(params.uuid, context),
    askForEarlyRenewal: ({ body, context }) => renewalWindows.askEarly(body, context),
  });

/** Nothing on the way may keep a secret. */
const NOT_STORED = { 'cache-control': 'no-store' };
