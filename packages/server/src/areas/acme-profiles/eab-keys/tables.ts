// Rows of keys of external account binding (migration 0008-acme).
import type { Generated, Selectable } from 'kysely';

export type AcmeEabKeyTables = {
  acme_eab_key: {
    uuid: string;
    acme_profile_uuid: string;
    key_id: string;
    description: string | null;
    /** Base64 of the sealed MAC key. */
    sealed_mac_key: string;
    reusable: boolean;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
    accounts_bound: Generated<number>;
    created_at: Date;
    created_by: string;
  };
};

export type AcmeEabKeyRow = Selectable<AcmeEabKeyTables['acme_eab_key']>;
