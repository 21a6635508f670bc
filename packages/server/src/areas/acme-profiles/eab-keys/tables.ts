// Rows of external account binding keys (migrations 0008-acme and 0024-acme-policies).
import type { Generated, Selectable } from 'kysely';
import type { NamePolicy } from '../name-policy.ts';

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
    /** Null if there are no rules other than the profile's. */
    name_policy: NamePolicy | null;
  };
};

export type AcmeEabKeyRow = Selectable<AcmeEabKeyTables['acme_eab_key']>;
