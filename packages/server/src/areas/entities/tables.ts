// Rows of the tables that this area owns (migration 0070-entities).
import type { MetadataAttribute } from '@signetry/contract';

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
    changed_at: Date;
  };
};

/** As the migration explains them. */
export type HeldState = 'waiting' | 'pushing' | 'installed' | 'failed';

export type EntityRow = EntityTables['entity'];
export type LocationRow = EntityTables['location'];
export type HeldRow = EntityTables['location_certificate'];
