// Operations for EST profiles and for their activation on RA profiles.
import { estProfileOperations, raProfileEstOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import {
  deactivateProfile,
  removeProfile,
  removeProfiles,
  setEnabled,
  setEnabledMany,
  setRaProfile,
} from '../protocol-profiles/index.ts';
import { activate, activationDetail } from './activation.ts';
import { createProfile, editProfile, listProfiles, profileDetail, type EstProfileParts } from './service.ts';

export const estProfileRoutes = (parts: EstProfileParts): readonly Route[] => [
  ...profileRoutes(parts),
  ...activationRoutes(parts),
];

const profileRoutes = (parts: EstProfileParts): readonly Route[] =>
  routes(estProfileOperations, {
    listEstProfiles: ({ context }) => listProfiles(parts, context),
    createEstProfile: async ({ body, context }) => ({ uuid: await createProfile(parts, body, context) }),
    getEstProfile: ({ params, context }) => profileDetail(parts, params.estProfileUuid, context),
    editEstProfile: ({ params, body, context }) =>
      editProfile(parts, { uuid: params.estProfileUuid, request: body }, context),
    deleteEstProfile: ({ params, context }) => removeProfile(parts, params.estProfileUuid, context),
    bulkDeleteEstProfiles: ({ body, context }) => removeProfiles(parts, { uuids: body, force: false }, context),
    enableEstProfile: ({ params, context }) =>
      setEnabled(parts, { uuid: params.estProfileUuid, enabled: true }, context),
    disableEstProfile: ({ params, context }) =>
      setEnabled(parts, { uuid: params.estProfileUuid, enabled: false }, context),
    bulkEnableEstProfiles: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: true }, context),
    bulkDisableEstProfiles: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: false }, context),
    updateEstProfileRaProfile: ({ params: { estProfileUuid: uuid, raProfileUuid }, context }) =>
      setRaProfile(parts, { uuid, raProfileUuid }, context),
  });

const activationRoutes = (parts: EstProfileParts): readonly Route[] =>
  routes(raProfileEstOperations, {
    getEstForRaProfile: ({ params }) => activationDetail(parts, params),
    activateEstForRaProfile: ({ params, body, context }) => activate(parts, { ...params, request: body }, context),
    deactivateEstForRaProfile: ({ params, context }) => deactivateProfile(parts, params, context),
  });
