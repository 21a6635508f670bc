// Row types for this area's tables (migrations 0070-entities, 0074-location-probes, 0087 and 0097).
import type { LocationOperationKind, MetadataAttribute, StartTlsProtocol } from '@signetry/contract';

export type EntityTables = {
  entity: {
    uuid: string;
    name: string;
    connector_uuid: string | null;
    connector_name: string;
    connector_entity_uuid: string;
    kind: string;
    /** Whether removal has started, so that nothing new can depend on the entity. */
    removing: boolean;
    /** Locked for other edits until this time. */
    edited_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  location: {
    uuid: string;
    name: string;
    description: string | null;
    entity_uuid: string;
    /** Digest of the location's attributes as accepted. */
    attributes_digest: string;
    enabled: boolean;
    /** Whether it can hold multiple certificates, as reported by its provider. */
    multiple_entries: boolean;
    /** Whether it can generate keys, as reported by its provider. */
    key_management: boolean;
    read_at: Date | null;
    problem: string | null;
    edited_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  location_certificate: {
    location_uuid: string;
    certificate_uuid: string;
    state: HeldState;
    with_key: boolean;
    /** Provider's metadata, sent back to it when the certificate is removed. */
    metadata: readonly MetadataAttribute[];
    replaces_uuid: string | null;
    requested_by: string;
    problem: string | null;
    /** Time of the request for this certificate, or when it was first seen in the location. */
    noted_at: Date;
    changed_at: Date;
    served_at: Date | null;
    asked_until: Date | null;
    /** Time of the next probe. */
    ask_at: Date | null;
    /** Whether the entry was created by the provider and did not previously exist in the location. */
    made_entry: boolean;
  };
  location_operation: {
    location_uuid: string;
    uuid: string;
    kind: LocationOperationKind;
    certificate_uuid: string | null;
    requested_by: string;
    node_uuid: string;
    started_at: Date;
    leased_until: Date;
  };
  location_probe: {
    location_uuid: string;
    host: string;
    port: number;
    server_name: string | null;
    start_tls: StartTlsProtocol | null;
    timeout_s: number;
    restore_previous: boolean;
  };
};

/** See the migrations for the meaning of each state. */
export type HeldState = 'waiting' | 'pushing' | 'installed' | 'served' | 'replaced' | 'not_served' | 'failed';

export type EntityRow = EntityTables['entity'];
export type LocationRow = EntityTables['location'];
export type HeldRow = EntityTables['location_certificate'];
export type ProbeRow = EntityTables['location_probe'];
export type LocationOperationRow = EntityTables['location_operation'];
