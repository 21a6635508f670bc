// What this area needs of the areas beside and below it.
import type { HeldCertificates } from '../inventory/index.ts';

/** A certificate in a location. */
export interface HeldHere {
  readonly locationUuid: string;
  readonly certificateUuid: string;
}

/** Locations, as far as certificates in them are renewed. */
export interface RenewingPlaces {
  /** Answers the successor. Its way into the location goes on by itself. */
  renew(held: HeldHere): Promise<string>;
  /** The certificate that is on its way to take the place of this one. */
  successorOf(held: HeldHere): Promise<string | undefined>;
}

/** Certificates, as far as they are renewed where their key is in a token. */
export type RenewingCertificates = Pick<HeldCertificates, 'renewWithItsKey'>;
