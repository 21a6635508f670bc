// Rows of the table that this area owns (migrations 0004-connectors and 0042-one-edit-at-a-time).

/** `removing`: removal has started, and no new objects may depend on the authority. */
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
    /** Edit lock: no one else can edit it until then. */
    edited_until: Date | null;
  };
};

export type AuthorityRow = AuthorityTables['authority'];
