// Operations of SCEP profiles, and of their activation on RA profiles.
import { raProfileScepOperations, scepProfileOperations, scepRaCertificateOperations } from '@signetry/contract';
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
import { ensureRaCertificate, type RaCertificateParts } from './ensure-ra-certificate.ts';
import { createProfile, editProfile, listProfiles, profileDetail, type ScepProfileParts } from './service.ts';
import { SCEP_CA } from './ca-certificate.ts';

export const scepProfileRoutes = (parts: ScepProfileParts, raCertificates: RaCertificateParts): readonly Route[] => [
  ...profileRoutes(parts),
  ...activationRoutes(parts),
  ...raCertificateRoutes(raCertificates),
];

/** Intermediate caches must not store an activation code. */
const NOT_STORED = { 'cache-control': 'no-store' };

const raCertificateRoutes = (parts: RaCertificateParts): readonly Route[] =>
  routes(scepRaCertificateOperations, {
    ensureScepRaCertificate: async ({ body, context }) =>
      respondWith(await ensureRaCertificate(parts, body.raProfileUuid, context), NOT_STORED),
  });

const profileRoutes = (parts: ScepProfileParts): readonly Route[] =>
  routes(scepProfileOperations, {
    listScepProfiles: () => listProfiles(parts),
    createScepProfile: ({ body, context }) => createProfile(parts, body, context),
    getScepProfile: ({ params, context }) => profileDetail(parts, params.uuid, context),
    editScepProfile: ({ params, body, context }) => editProfile(parts, { uuid: params.uuid, request: body }, context),
    deleteScepProfile: ({ params, context }) => removeProfile(parts, params.uuid, context),
    bulkDeleteScepProfile: ({ body, context }) => removeProfiles(parts, { uuids: body, force: false }, context),
    forceDeleteScepProfiles: ({ body, context }) => removeProfiles(parts, { uuids: body, force: true }, context),
    enableScepProfile: ({ params, context }) => setEnabled(parts, { uuid: params.uuid, enabled: true }, context),
    disableScepProfile: ({ params, context }) => setEnabled(parts, { uuid: params.uuid, enabled: false }, context),
    bulkEnableScepProfile: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: true }, context),
    bulkDisableScepProfile: ({ body, context }) => setEnabledMany(parts, { uuids: body, enabled: false }, context),
    updateRaProfile_ScepProfile: ({ params, context }) => setRaProfile(parts, params, context),
    listScepCaCertificates: ({ context }) => parts.signingCertificates.list(SCEP_CA, context),
  });

const activationRoutes = (parts: ScepProfileParts): readonly Route[] =>
  routes(raProfileScepOperations, {
    getScepForRaProfile: ({ params }) => activationDetail(parts, params),
    activateScepForRaProfile: ({ params, body, context }) => activate(parts, { ...params, request: body }, context),
    deactivateScepForRaProfile: ({ params, context }) => deactivateProfile(parts, params, context),
  });
