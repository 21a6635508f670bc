// Rows of this area's table (migration 0044-oids).
import type { OidCategory } from '@signetry/contract';

export type OidTables = {
  oid_entry: {
    oid: string;
    display_name: string;
    description: string | null;
    category: OidCategory;
    /** Only for attribute types. */
    code: string | null;
    alt_codes: string[];
    created_at: Date;
    updated_at: Date;
  };
};

export type OidRow = OidTables['oid_entry'];
