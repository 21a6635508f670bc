// Permissions on other objects that requests name: the caller must be allowed to see what a body names, and for
// operations on a certificate, its RA profile.
import type { FurtherPermission } from '../operation.ts';
import type { Resource } from './resource.ts';

/** Callers must not be able to use objects that they cannot see. */
export const sightOf = (resource: Resource, named: string): FurtherPermission => ({
  resource,
  action: 'detail',
  named,
});

/** Values of attributes may name credentials; one that is not visible is refused (422) as if it did not exist. */
export const sightOfCredentials: FurtherPermission = {
  resource: 'credentials',
  action: 'detail',
  where: 'attributes name a credential, on it',
};

/** One that the caller may not sign with is refused (422) as if it did not exist. */
export const useOfKeys: FurtherPermission = {
  resource: 'keys',
  action: 'sign',
  where: 'attributes name a key pair in a token to sign with, on it; and to see its token and token profile',
};

/** Certificates of an RA profile are only for callers that may use the profile. */
export const memberOfItsRaProfile: FurtherPermission = {
  resource: 'raProfiles',
  action: 'members',
  where: 'the certificate has an RA profile, on it',
};

/** An owner may do everything with what is theirs: nobody hands over more than the owner or they themselves may do. */
export const powersOfOwner: FurtherPermission = {
  resource: 'ANY',
  action: 'ANY',
  where: 'another owner is set, unless every action on the object is allowed to the owner or the caller',
};

/** Nobody makes a way to sign in as somebody who may do more, owns objects, or is an approver. */
export const powersOfUser: FurtherPermission = {
  resource: 'ANY',
  action: 'ANY',
  where: 'the user has permissions, owns objects or approves, unless the caller may do all of that',
};

/** Keys in a token are only for callers that may use the token. */
export const memberOfItsToken: FurtherPermission = {
  resource: 'tokens',
  action: 'members',
  where: 'the key is in a token, on it',
};

/** Keys that sign the request of a certificate: who may sign with them otherwise, and sees their token profiles. */
export const useOfRequestingKeys: readonly FurtherPermission[] = [
  { resource: 'keys', action: 'sign', named: 'keyUuid' },
  sightOf('tokenProfiles', 'tokenProfileUuid'),
  { resource: 'keys', action: 'sign', named: 'altKeyUuid' },
  sightOf('tokenProfiles', 'altTokenProfileUuid'),
];

/** The certificate that a user signs in with; keeping the present one requires no permission. */
export const certificateOfUser: readonly FurtherPermission[] = [
  { resource: 'certificates', action: 'detail', where: 'another certificate of the inventory is given' },
  { resource: 'certificates', action: 'create', where: 'a certificate is given that the inventory does not hold' },
  { ...memberOfItsRaProfile, where: 'another certificate is given that has an RA profile, on it' },
];
