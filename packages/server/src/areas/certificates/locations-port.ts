// Where certificates are, as the area of locations says. It is in a higher tier and connects itself.
import type { LocationDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Written in the transaction that reserves a certificate. */
export type WithReservation = (tx: Executor, certificateUuid: string) => Promise<void>;

export interface HoldingLocations {
  /** Locations that hold a certificate, of those that the caller sees. */
  find(certificateUuid: string, context: RequestContext): Promise<LocationDto[]>;
  /**
   * What lets a successor take the place of a certificate wherever that is, once it is issued; undefined where it is
   * nowhere. Refused where the caller may not change one of the locations.
   */
  replacing(certificateUuid: string, context: RequestContext): Promise<WithReservation | undefined>;
}

export interface LocationsPort extends HoldingLocations {
  connect(locations: HoldingLocations): void;
}

export function createLocationsPort(): LocationsPort {
  let connected: HoldingLocations | undefined;
  return {
    connect: (locations) => void (connected = locations),
    find: async (certificateUuid, context) => (await connected?.find(certificateUuid, context)) ?? [],
    replacing: async (certificateUuid, context) => connected?.replacing(certificateUuid, context),
  };
}
