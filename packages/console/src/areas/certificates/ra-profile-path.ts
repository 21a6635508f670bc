// The authority and RA profile used to renew, rekey and revoke a certificate.
import type { CertificateDetail } from './shapes.ts';

export interface RaProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Reason why certificates of first-generation authorities can be neither renewed nor rekeyed. */
export const NOT_RENEWABLE_REASON =
  'This certificate is from a first-generation authority. Request the next one with the end entity’s username and password.';

/** Returns undefined if the certificate was not issued here or its RA profile was removed. */
export const raProfilePathOf = ({ raProfile }: CertificateDetail): RaProfilePath | undefined =>
  raProfile?.authorityInstanceUuid === undefined
    ? undefined
    : { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid };
