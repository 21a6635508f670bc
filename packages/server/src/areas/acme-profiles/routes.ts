// Operations of ACME profiles, their activation on RA profiles, and external account binding keys.
import { acmeEabKeyOperations, acmeProfileOperations, raProfileAcmeOperations } from '@signetry/contract';
import { respondWith, routes, type Route } from '../../platform/http/routes.ts';
import {
  deactivateProfile,
  removeProfile,
  removeProfiles,
  setEnabled,
  setEnabledMany,
  setRaProfile,
} from '../protocol-profiles/index.ts';
import { activate, activationDetail } from './activation.ts';
import type { EabKeyManagement } from './eab-keys/manage-keys.ts';
import { createProfile, editProfile, listProfiles, profileDetail, type AcmeProfileParts } from './service.ts';

export const acmeProfileRoutes = (parts: AcmeProfileParts, eabKeys: EabKeyManagement): readonly Route[] => [
  ...profileRoutes(parts),
  ...activationRoutes(parts),
  ...eabKeyRoutes(eabKeys),
];

const profileRoutes = (parts: AcmeProfileParts): readonly Route[] =>
  routes(acmeProfileOperations, {
    listAcmeProfiles: () => listProfiles(parts),
    createAcmeProfile: async ({ body, context }) => ({ uuid: await createProfile(parts, { request: body }, context) }),
    getAcmeProfile: ({ params, context }) => profileDetail(parts, params.uuid, context),
    editAcmeProfile: ({ params, body, context }) => editProfile(parts, { uuid: params.uuid, request: body }, context),
    deleteAcmeProfile: ({ params, context }) => removeProfile(parts, params.uuid, context),
    bulkDeleteAcmeProfile: ({ body, context }) => removeProfiles(parts, { uuids: body, force: false }, context),
    forceDeleteACMEProfiles: ({ body, context }) => removeProfiles(parts, { uuids: body, force: true }, context),
    enableAcmeProfile: ({ params, context }) => setEnabled(parts, { uuid: params.uuid, enabled: true }, context),
    disableAcmeProfile: ({ params, context }) => setEnabled(parts, { uuid: params.uuid, enabled: false }, context),
    bulkEnableAcmeProfile: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: true }, context),
    bulkDisableAcmeProfile: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: false }, context),
    updateRaProfile_AcmeProfile: ({ params, context }) => setRaProfile(parts, params, context),
  });

const activationRoutes = (parts: AcmeProfileParts): readonly Route[] =>
  routes(raProfileAcmeOperations, {
    getAcmeForRaProfile: ({ params }) => activationDetail(parts, params),
    activateAcmeForRaProfile: ({ params, body, context }) => activate(parts, { ...params, request: body }, context),
    deactivateAcmeForRaProfile: ({ params, context }) => deactivateProfile(parts, params, context),
  });

const eabKeyRoutes = (eabKeys: EabKeyManagement): readonly Route[] =>
  routes(acmeEabKeyOperations, {
    listAcmeEabKeys: ({ params }) => eabKeys.list(params.uuid),
    createAcmeEabKey: async ({ params, body, context }) => {
      const { key, macKey } = await eabKeys.create(params.uuid, body, context);
      return respondWith({ ...key, macKey: macKey.reveal() }, NOT_STORED);
    },
    revokeAcmeEabKey: ({ params, context }) =>
      eabKeys.revoke({ acmeProfileUuid: params.uuid, keyUuid: params.keyUuid }, context),
  });

/** Intermediate caches must not store a secret. */
const NOT_STORED = { 'cache-control': 'no-store' };
