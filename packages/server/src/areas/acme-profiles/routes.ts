// Operations of ACME profiles, of their activation on RA profiles, and of keys of external account binding.
import { acmeEabKeyOperations, acmeProfileOperations, raProfileAcmeOperations } from '@signetry/contract';
import { answer, routes, type Route } from '../../platform/http/routes.ts';
import type { ActivationService } from './activation.ts';
import type { EabKeys } from './eab-keys/service.ts';
import type { AcmeProfileRemoval } from './remove-profiles.ts';
import type { AcmeProfileService } from './service.ts';

export interface AcmeProfileServices {
  readonly profiles: AcmeProfileService;
  readonly removal: AcmeProfileRemoval;
  readonly activation: ActivationService;
  readonly eabKeys: EabKeys;
}

export const acmeProfileRoutes = (services: AcmeProfileServices): readonly Route[] => [
  ...profileRoutes(services),
  ...activationRoutes(services),
  ...eabKeyRoutes(services),
];

const profileRoutes = ({ profiles, removal }: AcmeProfileServices): readonly Route[] =>
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

const activationRoutes = ({ activation }: AcmeProfileServices): readonly Route[] =>
  routes(raProfileAcmeOperations, {
    getAcmeForRaProfile: ({ params }) => activation.detail(params),
    activateAcmeForRaProfile: ({ params, body, context }) => activation.activate(params, body, context),
    deactivateAcmeForRaProfile: ({ params, context }) => activation.deactivate(params, context),
  });

const eabKeyRoutes = ({ eabKeys }: AcmeProfileServices): readonly Route[] =>
  routes(acmeEabKeyOperations, {
    listAcmeEabKeys: ({ params }) => eabKeys.list(params.uuid),
    createAcmeEabKey: async ({ params, body, context }) => {
      const { key, macKey } = await eabKeys.create(params.uuid, body, context);
      return answer({ ...key, macKey: macKey.reveal() }, NOT_STORED);
    },
    revokeAcmeEabKey: ({ params, context }) =>
      eabKeys.revoke({ acmeProfileUuid: params.uuid, keyUuid: params.keyUuid }, context),
  });

/** Nothing on the way may keep a secret. */
const NOT_STORED = { 'cache-control': 'no-store' };
