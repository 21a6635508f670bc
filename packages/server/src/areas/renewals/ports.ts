// Functions that this area requires from other areas.
import type { HeldCertificates } from '../inventory/index.ts';

/** Certificate in a location. */
export interface LocationCertificate {
  readonly locationUuid: string;
  readonly certificateUuid: string;
}

/** Renewal of certificates in locations. */
export interface LocationRenewals {
  /** Renews the certificate and returns its successor, which is then deployed to the location in the background. */
  renew(held: LocationCertificate): Promise<string>;
  /** Returns the certificate that is being deployed to replace this one. */
  successorOf(held: LocationCertificate): Promise<string | undefined>;
}

/** Renewal of certificates whose key is in a token. */
export type CertificateRenewals = Pick<HeldCertificates, 'renewWithItsKey'>;
