// Port for certificate locations. The locations area, which is in a higher tier, connects itself here.
import type { LocationDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Runs in the transaction that reserves a certificate. */
export type ReservationHook = (tx: Executor, certificateUuid: string) => Promise<void>;

export interface HoldingLocations {
  /** Returns the locations that contain a certificate and that the caller can see. */
  find(certificateUuid: string, context: RequestContext): Promise<LocationDto[]>;
  /**
   * Returns a function that lets a successor, once issued, replace a certificate in all its locations; undefined if it
   * is in none. Throws if the caller cannot change one of the locations.
   */
  replacing(certificateUuid: string, context: RequestContext): Promise<ReservationHook | undefined>;
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
