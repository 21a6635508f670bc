// Rows of the tables that this area owns (migrations 0070-entities, 0074-location-probes, 0087 and 0097).
import type { LocationOperationKind, MetadataAttribute, StartTlsProtocol } from '@signetry/contract';

export type EntityTables = {
  entity: {
    uuid: string;
    name: string;
    connector_uuid: string | null;
    connector_name: string;
    connector_entity_uuid: string;
    kind: string;
    /** Its removal has begun and nothing may come to depend on it. */
    removing: boolean;
    /** Nobody else may edit it until then. */
    edited_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  location: {
    uuid: string;
    name: string;
    description: string | null;
    entity_uuid: string;
    /** Of its attributes as they were accepted. */
    attributes_digest: string;
    enabled: boolean;
    /** It holds several certificates at once, as its provider says. */
    multiple_entries: boolean;
    /** Keys can be made in it, as its provider says. */
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
    /** What the provider said about it, which it gets back when the certificate is to be removed. */
    metadata: readonly MetadataAttribute[];
    replaces_uuid: string | null;
    requested_by: string;
    problem: string | null;
    /** Since when it is in the location or is to be there. */
    noted_at: Date;
    changed_at: Date;
    served_at: Date | null;
    asked_until: Date | null;
    /** When the endpoint is asked next. */
    ask_at: Date | null;
    /** The provider made its entry, which was not in the location before. */
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

/** As the migrations explain them. */
export type HeldState = 'waiting' | 'pushing' | 'installed' | 'served' | 'replaced' | 'not_served' | 'failed';

export type EntityRow = EntityTables['entity'];
export type LocationRow = EntityTables['location'];
export type HeldRow = EntityTables['location_certificate'];
export type ProbeRow = EntityTables['location_probe'];
export type LocationOperationRow = EntityTables['location_operation'];
