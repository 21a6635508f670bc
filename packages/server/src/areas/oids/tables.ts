// Rows of the table that this area owns (migration 0044-oids).
import type { OidCategory } from '@signetry/contract';

export type OidTables = {
  oid_entry: {
    oid: string;
    display_name: string;
    description: string | null;
    category: OidCategory;
    /** Of attribute types only. */
    code: string | null;
    alt_codes: string[];
    created_at: Date;
    updated_at: Date;
  };
};

export type OidRow = OidTables['oid_entry'];
