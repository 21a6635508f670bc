// The permissions on second objects of requests: what a body names must be within sight of the caller, and what is done
// to a certificate takes sight of its RA profile.
import type { FurtherPermission } from '../operation.ts';
import type { Resource } from './resource.ts';

/** Whoever cannot see an object must not be able to have it used. */
export const sightOf = (resource: Resource, named: string): FurtherPermission => ({
  resource,
  action: 'detail',
  named,
});

/** Certificates of an RA profile are for its members. */
export const memberOfItsRaProfile: FurtherPermission = {
  resource: 'raProfiles',
  action: 'members',
  where: 'the certificate has an RA profile, on it',
};

/** For operations on a certificate under the path of its RA profile. */
export const memberOfRaProfile: FurtherPermission = {
  resource: 'raProfiles',
  action: 'members',
  object: 'raProfileUuid',
};

/** The certificate that a user is to sign in with; keeping the present one asks for nothing. */
export const certificateOfUser: readonly FurtherPermission[] = [
  { resource: 'certificates', action: 'detail', where: 'another certificate of the inventory is given' },
  { resource: 'certificates', action: 'create', where: 'a certificate is given that the inventory does not hold' },
  { ...memberOfItsRaProfile, where: 'another certificate is given that has an RA profile, on it' },
];
