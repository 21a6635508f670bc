// Properties that distinguish one protocol's profiles from those of other protocols, and the columns that all of them
// have. No I/O.
import type { RaProfileProtocol } from '../ra-profiles/index.ts';

/** Operation for which attributes are stored. */
export type AttributePurpose = 'issue' | 'revoke';

export interface ProtocolFacts {
  /** Protocol name in the API. */
  readonly name: RaProfileProtocol['name'];
  /** Protocol name in URLs, and the purpose under which activation attributes are stored. */
  readonly word: string;
  /**
   * Resource type of the protocol's profiles; `raProfiles` if they have no resource type of their own, in which case RA
   * profile permissions apply.
   */
  readonly resource: 'acmeProfiles' | 'cmpProfiles' | 'scepProfiles' | 'raProfiles';
  /**
   * Operations that the protocol requests from authorities. If revocation is missing, there are no revocation
   * attributes.
   */
  readonly purposes: readonly AttributePurpose[];
  readonly tables: {
    /**
     * Table with the columns of `ProtocolProfileRow` and the protocol's own columns. The constraint `<table>_name_key`
     * ensures that names are unique.
     */
    readonly profiles: string;
    /** Table of `ActivationRow`; the column `activatedProfile` refers to the profile. */
    readonly activations: string;
    readonly activatedProfile: string;
  };
}

/** Returns the name used in messages, e.g. `ACME profile`. */
export const profileOf = ({ name }: ProtocolFacts): string => `${name} profile`;

/** Columns common to the profiles of all protocols. */
export interface ProtocolProfileRow {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Incremented by every change to the profile or its activations. */
  readonly version: number;
  /** RA profile for certificates issued under the profile's own name. */
  readonly ra_profile_uuid: string | null;
  /** Connector of the RA profile, under which the profile's attributes are stored. */
  readonly connector_uuid: string | null;
  /** Owner and groups for certificates issued under the profile. */
  readonly owner_uuid: string | null;
  readonly group_uuids: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Activation of a profile: it is served under an RA profile's name, at most one per protocol. */
export interface ActivationRow {
  readonly ra_profile_uuid: string;
  readonly profile_uuid: string;
  /** Connector of the RA profile, under which the activation's attributes are stored. */
  readonly connector_uuid: string;
  readonly created_at: Date;
}
