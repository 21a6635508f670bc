// Rows of this area's table (migrations 0004-connectors and 0042-one-edit-at-a-time).

/** `removing` means that removal has started, and new objects must not depend on the authority. */
export type AuthorityStatus = 'connected' | 'removing';

export type AuthorityTables = {
  authority: {
    uuid: string;
    name: string;
    connector_uuid: string | null;
    connector_name: string;
    connector_authority_uuid: string;
    kind: string;
    status: AuthorityStatus;
    created_at: Date;
    updated_at: Date;
    /** Time until which the edit lock prevents other callers from editing the authority. */
    edited_until: Date | null;
  };
};

export type AuthorityRow = AuthorityTables['authority'];
