// Properties in which the profiles of one protocol differ from those of another, and their common columns. No I/O.
import type { RaProfileProtocol } from '../ra-profiles/index.ts';

/** Operation that attributes are stored for. */
export type AttributePurpose = 'issue' | 'revoke';

export interface ProtocolFacts {
  /** Name in the API. */
  readonly name: RaProfileProtocol['name'];
  /** Name in URLs, and purpose of the attributes of activations. */
  readonly word: string;
  /**
   * Resource type of its profiles; `raProfiles`, whose permissions then apply, if they are not a resource of their own.
   */
  readonly resource: 'acmeProfiles' | 'cmpProfiles' | 'scepProfiles' | 'raProfiles';
  /** Operations that the protocol requests from authorities: without revocation, it has no revocation attributes. */
  readonly purposes: readonly AttributePurpose[];
  readonly tables: {
    /**
     * Table of `ProtocolProfileRow` and the protocol's own columns; names are unique by the constraint
     * `<table>_name_key`.
     */
    readonly profiles: string;
    /** Table of `ActivationRow`; `activatedProfile` is its column for the profile. */
    readonly activations: string;
    readonly activatedProfile: string;
  };
}

/** Returns the name for messages, e.g. `ACME profile`. */
export const profileOf = ({ name }: ProtocolFacts): string => `${name} profile`;

/** Columns common to the profiles of all protocols. */
export interface ProtocolProfileRow {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Incremented by every change of the profile or of its activations. */
  readonly version: number;
  /** RA profile for certificates issued under the profile's own name. */
  readonly ra_profile_uuid: string | null;
  /** Connector of the RA profile, under which the profile's attributes are stored. */
  readonly connector_uuid: string | null;
  /** Owner and groups of certificates issued under the profile. */
  readonly owner_uuid: string | null;
  readonly group_uuids: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Profile served under the name of an RA profile; at most one per protocol. */
export interface ActivationRow {
  readonly ra_profile_uuid: string;
  readonly profile_uuid: string;
  /** Connector of the RA profile, under which the activation's attributes are stored. */
  readonly connector_uuid: string;
  readonly created_at: Date;
}
