// Rows of this area's tables (migrations 0004-connectors, 0032-custom-attributes).
import type { AttributeContentType, AttributeType, Resource } from '@signetry/contract';
import type { JSONColumnType } from 'kysely';

/** A stored content item, without secret data. */
export type StoredItem = { readonly reference?: string; readonly data?: unknown };

export type AttributeTables = {
  attribute_definition: {
    uuid: string;
    type: AttributeType;
    connector_uuid: string | null;
    attribute_uuid: string;
    name: string;
    content_type: AttributeContentType;
    label: string;
    definition: JSONColumnType<Record<string, unknown>>;
    enabled: boolean;
    is_global: boolean;
    resources: Resource[];
    created_at: Date;
    updated_at: Date;
  };
  attribute_value: {
    uuid: string;
    object_resource: string;
    object_uuid: string;
    definition_uuid: string;
    connector_uuid: string | null;
    operation: string;
    purpose: string;
    source_resource: string | null;
    source_uuid: string | null;
    source_name: string | null;
    position: number;
    item: JSONColumnType<StoredItem>;
    sealed_data: Buffer | null;
    value_text: string | null;
    value_number: number | null;
  };
};
