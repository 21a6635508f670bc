// The authority and RA profile through which a certificate is renewed, rekeyed and revoked.
import type { CertificateDetail } from './shapes.ts';

export interface RaProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Why certificates of authorities of the first generation are neither renewed nor rekeyed. */
export const ONLY_BY_END_ENTITY =
  'Its authority is of the first generation: the next certificate is requested with the name and the password of the end entity.';

/** Undefined for certificates from elsewhere, or if the RA profile was removed. */
export const placeOf = ({ raProfile }: CertificateDetail): RaProfilePath | undefined =>
  raProfile?.authorityInstanceUuid === undefined
    ? undefined
    : { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid };
