// Operations on CMP profiles, and on their activation on RA profiles.
import { cmpProfileOperations, raProfileCmpOperations } from '@signetry/contract';
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
import { createProfile, editProfile, listProfiles, profileDetail, type CmpProfileParts } from './service.ts';
import { CMP_SIGNING } from './signing.ts';

export const cmpProfileRoutes = (parts: CmpProfileParts): readonly Route[] => [
  ...profileRoutes(parts),
  ...activationRoutes(parts),
];

const profileRoutes = (parts: CmpProfileParts): readonly Route[] =>
  routes(
    cmpProfileOperations,
    {
      listCmpProfiles: () => listProfiles(parts),
      createCmpProfile: ({ body, context }) => createProfile(parts, body, context),
      getCmpProfile: ({ params, context }) => profileDetail(parts, params.cmpProfileUuid, context),
      editCmpProfile: ({ params, body, context }) =>
        editProfile(parts, { uuid: params.cmpProfileUuid, request: body }, context),
      deleteCmpProfile: ({ params, context }) => removeProfile(parts, params.cmpProfileUuid, context),
      bulkDeleteCmpProfile: ({ body, context }) => removeProfiles(parts, { uuids: body, force: false }, context),
      forceDeleteCmpProfiles: ({ body, context }) => removeProfiles(parts, { uuids: body, force: true }, context),
      enableCmpProfile: ({ params, context }) =>
        setEnabled(parts, { uuid: params.cmpProfileUuid, enabled: true }, context),
      disableCmpProfile: ({ params, context }) =>
        setEnabled(parts, { uuid: params.cmpProfileUuid, enabled: false }, context),
      bulkEnableCmpProfile: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: true }, context),
      bulkDisableCmpProfile: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: false }, context),
      updateRaProfile_CmpProfile: ({ params: { cmpProfileUuid: uuid, raProfileUuid }, context }) =>
        setRaProfile(parts, { uuid, raProfileUuid }, context),
      listCmpSigningCertificates: ({ context }) => parts.signingCertificates.list(CMP_SIGNING, context),
    },
    {
      editCmpProfile: ({ cmpProfileUuid }) => parts.profiles.require(parts.platform.database.executor, cmpProfileUuid),
    },
  );

const activationRoutes = (parts: CmpProfileParts): readonly Route[] =>
  routes(raProfileCmpOperations, {
    getCmpForRaProfile: ({ params }) => activationDetail(parts, params),
    activateCmpForRaProfile: ({ params, body, context }) => activate(parts, { ...params, request: body }, context),
    deactivateCmpForRaProfile: ({ params, context }) => deactivateProfile(parts, params, context),
  });
