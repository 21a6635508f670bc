// What tells the profiles of one protocol from those of another, and what they have in common. No I/O.
import type { RaProfileProtocol } from '../ra-profiles/index.ts';

/** Attributes are kept for what certificates are asked for with them. */
export type AttributePurpose = 'issue' | 'revoke';

export interface ProtocolFacts {
  /** As the interface names it. */
  readonly name: RaProfileProtocol['name'];
  /** In URLs, and for the attributes that are given where the protocol is activated. */
  readonly word: string;
  /** Its profiles among the objects of the interface; `raProfiles`, whose rights decide, where they are none. */
  readonly resource: 'acmeProfiles' | 'cmpProfiles' | 'scepProfiles' | 'raProfiles';
  /** What the protocol asks authorities for: one without revocation has no attributes for it. */
  readonly purposes: readonly AttributePurpose[];
  readonly tables: {
    /** Rows of `ProtocolProfileRow` with the columns of the protocol; names are unique by `<table>_name_key`. */
    readonly profiles: string;
    /** Its rows are those of `ActivationRow`, whose profile has this column. */
    readonly activations: string;
    readonly activatedProfile: string;
  };
}

/** For messages: `ACME profile`. */
export const profileOf = ({ name }: ProtocolFacts): string => `${name} profile`;

/** Columns of the profiles of every protocol. */
export interface ProtocolProfileRow {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Grows with every change of the profile or of its activations. */
  readonly version: number;
  /** What certificates are issued with under the name of the profile itself. */
  readonly ra_profile_uuid: string | null;
  /** Connector of the RA profile, under which the attributes of the profile are kept. */
  readonly connector_uuid: string | null;
  /** Owner and groups of certificates issued under the profile. */
  readonly owner_uuid: string | null;
  readonly group_uuids: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A profile that is served under the name of an RA profile; each protocol has one there at most. */
export interface ActivationRow {
  readonly ra_profile_uuid: string;
  readonly profile_uuid: string;
  /** Connector of the RA profile, under which the attributes of the activation are kept. */
  readonly connector_uuid: string;
  readonly created_at: Date;
}
