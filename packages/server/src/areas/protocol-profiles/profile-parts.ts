// Dependencies of the use cases for one protocol's profiles. Each profile area creates them once and passes them to its
// use cases.
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createAssociations, type Associations, type Users } from './associations.ts';
import { createCertificateAttributes, type CertificateAttributes } from './certificate-attributes.ts';
import { createProfileValues, type ProfileValues } from './custom-values.ts';
import type { ProtocolFacts, ProtocolProfileRow } from './protocol.ts';
import { createActivationStore, type ActivationStore } from './store-activations.ts';
import { createProfileStore, type ProfileStore } from './store.ts';

/** Areas in lower tiers. */
export interface ProfileAreas {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly users: Users;
}

export interface ProfileParts<Row extends ProtocolProfileRow = ProtocolProfileRow> extends ProfileAreas {
  readonly protocol: ProtocolFacts;
  readonly platform: Platform;
  readonly profiles: ProfileStore<Row>;
  readonly activations: ActivationStore;
  readonly associations: Associations;
  readonly certificateAttributes: CertificateAttributes;
  readonly values: ProfileValues;
}

/** Dependencies of use cases that change profiles. */
export interface ChangeParts<Row extends ProtocolProfileRow = ProtocolProfileRow> extends ProfileParts<Row> {
  /** Called after a change has been committed. */
  readonly onChange: () => void;
}

export const createProfileParts = <Row extends ProtocolProfileRow>(
  platform: Platform,
  { protocol, ...areas }: ProfileAreas & { readonly protocol: ProtocolFacts },
): ProfileParts<Row> => ({
  ...areas,
  protocol,
  platform,
  profiles: createProfileStore<Row>(protocol),
  activations: createActivationStore(protocol),
  associations: createAssociations(platform.database.executor, areas),
  certificateAttributes: createCertificateAttributes({ ...areas, protocol }),
  values: createProfileValues({ ...areas, protocol }),
});
