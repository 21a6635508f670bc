// Renews certificates in locations on behalf of other areas.
import { locationOperations } from '@signetry/contract';
import { coreContextFor } from '../../kernel/actor.ts';
import { renewInPlace } from './issue-in-place.ts';
import type { DeploymentParts } from './push.ts';
import { findHeld, locations } from './store.ts';

export interface HeldReference {
  readonly locationUuid: string;
  readonly certificateUuid: string;
}

export interface InPlaceRenewal {
  /** Returns the successor, which is pushed once it is issued. */
  renew(held: HeldReference): Promise<string>;
  /** Returns the certificate that is about to replace this one. */
  successorOf(held: HeldReference): Promise<string | undefined>;
}

export const createInPlaceRenewal = (parts: DeploymentParts): InPlaceRenewal => ({
  async renew({ locationUuid, certificateUuid }) {
    const location = await locations.require(parts.platform.database.executor, locationUuid);
    const target = { entityUuid: location.entity_uuid, locationUuid, certificateUuid };
    return renewInPlace(parts, target, coreContextFor(locationOperations.renewCertificateInLocation));
  },
  async successorOf({ locationUuid, certificateUuid }) {
    const held = await findHeld(parts.platform.database.executor, [locationUuid]);
    const next = held.find((row) => row.replaces_uuid === certificateUuid && row.state !== 'failed');
    return next?.certificate_uuid;
  },
});
