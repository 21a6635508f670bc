// Rows of this area's table (migration 0041-nested-groups).
import type { JSONColumnType } from 'kysely';

export type CallbackTables = {
  nested_group: {
    connector_uuid: string;
    attribute_uuid: string;
    name: string;
    /** Enclosing groups, outermost first. */
    path: string[];
    definition: JSONColumnType<Record<string, unknown>>;
  };
};
