// Permissions on other objects that requests reference: the caller must be able to see the objects in the body and, for
// operations on a certificate, have access to its RA profile.
import type { AdditionalPermission } from '../operation.ts';
import type { Resource } from './resource.ts';

/** Callers must not be able to use objects that they cannot see. */
export const sightOf = (resource: Resource, named: string): AdditionalPermission => ({
  resource,
  action: 'detail',
  named,
});

/**
 * Attribute values can reference credentials. A credential that the caller cannot see is rejected (422) as if it did
 * not exist.
 */
export const sightOfCredentials: AdditionalPermission = {
  resource: 'credentials',
  action: 'detail',
  where: 'attributes reference a credential, on it',
};

/** A key that the caller cannot sign with is rejected (422) as if it did not exist. */
export const useOfKeys: AdditionalPermission = {
  resource: 'keys',
  action: 'sign',
  where:
    'attributes reference a key pair in a token for signing, on it, and permission to see its token and token profile',
};

/** Certificates of an RA profile are accessible only to callers that can use the profile. */
export const raProfileMembership: AdditionalPermission = {
  resource: 'raProfiles',
  action: 'members',
  where: 'the certificate has an RA profile, on the profile',
};

/**
 * Owners can perform all actions on their objects, except export, so a change of owner must not allow an action that
 * neither the new owner nor the caller is otherwise allowed to perform.
 */
export const privilegesOfOwner: AdditionalPermission = {
  resource: 'ANY',
  action: 'ANY',
  where: 'a different owner is set, unless every action on the object is allowed to the new owner or the caller',
};

/**
 * Prevents callers from creating a way to sign in as a user who has more permissions, owns objects, or is an approver.
 */
export const privilegesOfUser: AdditionalPermission = {
  resource: 'ANY',
  action: 'ANY',
  where: 'the user has permissions, owns objects or is an approver, unless the caller is allowed all of that',
};

/** Keys in a token are accessible only to callers that can use the token. */
export const tokenMembership: AdditionalPermission = {
  resource: 'tokens',
  action: 'members',
  where: 'the key is in a token, on the token',
};

/** The permission to export a key depends on its token profile, so changing the profile must not provide it. */
export const exportOfMovedKey: AdditionalPermission = {
  resource: 'tokenProfiles',
  action: 'export',
  where: 'the key is exportable and its token profile changes, on its current token profile',
};

/** Keys that sign a certificate request: the caller must be able to sign with them and see their token profiles. */
export const useOfRequestingKeys: readonly AdditionalPermission[] = [
  { resource: 'keys', action: 'sign', named: 'keyUuid' },
  sightOf('tokenProfiles', 'tokenProfileUuid'),
  { resource: 'keys', action: 'sign', named: 'altKeyUuid' },
  sightOf('tokenProfiles', 'altTokenProfileUuid'),
];

/** Permission on the certificate with which a user signs in; keeping the current one requires no permission. */
export const certificateOfUser: readonly AdditionalPermission[] = [
  { resource: 'certificates', action: 'detail', where: 'a different certificate from the inventory is specified' },
  { resource: 'certificates', action: 'create', where: 'a certificate that is not in the inventory is specified' },
  { ...raProfileMembership, where: 'a different certificate with an RA profile is specified, on the profile' },
];
