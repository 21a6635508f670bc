// Rows of the tables that this area owns (migrations 0002-identity, 0013-object-permissions and 0015-token-descent).

export type IdentityTables = {
  platform_user: {
    uuid: string;
    username: string;
    first_name: string | null;
    last_name: string | null;
    email: string | null;
    description: string | null;
    enabled: boolean;
    is_system: boolean;
    certificate_uuid: string | null;
    certificate_fingerprint: string | null;
    created_at: Date;
    updated_at: Date;
  };
  role: {
    uuid: string;
    name: string;
    description: string | null;
    email: string | null;
    is_system: boolean;
    created_at: Date;
    updated_at: Date;
  };
  user_role: {
    user_uuid: string;
    role_uuid: string;
  };
  role_permission: {
    role_uuid: string;
    resource: string | null;
    action: string | null;
  };
  role_object_permission: {
    role_uuid: string;
    resource: string;
    object_uuid: string;
    action: string;
    /** Wins over everything that is allowed. */
    denied: boolean;
  };
  session: {
    token_sha256: Uint8Array;
    user_uuid: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };
  sign_in_link: {
    token_sha256: Uint8Array;
    user_uuid: string;
    created_at: Date;
    expires_at: Date;
  };
  access_token: {
    uuid: string;
    user_uuid: string;
    name: string;
    token_sha256: Uint8Array;
    created_at: Date;
    expires_at: Date | null;
    last_used_at: Date | null;
    /** The token that this one was made with, and ends with. */
    parent_uuid: string | null;
    opens_sessions: boolean;
  };
};

export type UserRow = IdentityTables['platform_user'];
export type RoleRow = IdentityTables['role'];
export type SessionRow = IdentityTables['session'];
export type AccessTokenRow = IdentityTables['access_token'];
