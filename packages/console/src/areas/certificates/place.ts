// Where a certificate is renewed, rekeyed and revoked.
import type { CertificateDetail } from './shapes.ts';

export interface Place {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Undefined for certificates that came from elsewhere, or whose RA profile is gone. */
export const placeOf = ({ raProfile }: CertificateDetail): Place | undefined =>
  raProfile?.authorityInstanceUuid === undefined
    ? undefined
    : { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid };
