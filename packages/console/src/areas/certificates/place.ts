// The authority and RA profile through which a certificate is renewed, rekeyed and revoked.
import type { CertificateDetail } from './shapes.ts';

export interface Place {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Undefined for certificates from elsewhere, or if the RA profile was removed. */
export const placeOf = ({ raProfile }: CertificateDetail): Place | undefined =>
  raProfile?.authorityInstanceUuid === undefined
    ? undefined
    : { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid };
