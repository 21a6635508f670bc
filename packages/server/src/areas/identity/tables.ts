// Rows of the tables that this area owns (migrations 0002-identity, 0013-object-permissions, 0015-token-descent,
// 0034-settings, 0036-external-identities and 0037-passkeys).
import type { OAuth2ProviderSettingsUpdateDto, ProviderProvisioning, SessionOpening } from '@signetry/contract';
import type { ObjectPermissionRow, PermissionRow } from './permissions/permission-rows.ts';

/** What a token may do at most: the permissions of a role as they are, or these. */
export type TokenScope =
  | { readonly roleUuid: string }
  | { readonly rows: readonly PermissionRow[]; readonly objectRows: readonly ObjectPermissionRow[] };

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
    uuid: string;
    user_uuid: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    /** Seconds after which it ends without requests; null for the usual time. */
    idle_s: number | null;
    opened_with: SessionOpening;
    /** The passkey that it was opened with, and ends with. */
    passkey_uuid: string | null;
    user_agent: string | null;
    address: string | null;
  };
  invitation: {
    uuid: string;
    user_uuid: string;
    token_sha256: Uint8Array;
    /** User name; absent where the platform itself made it. */
    created_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  passkey: {
    uuid: string;
    user_uuid: string;
    name: string;
    credential_id: Uint8Array;
    /** COSE form. */
    public_key: Uint8Array;
    sign_count: number;
    transports: string[];
    /** Host name that browsers bind it to. */
    host: string;
    synced: boolean;
    created_at: Date;
    last_used_at: Date | null;
  };
  passkey_challenge: {
    challenge_sha256: Uint8Array;
    origin: string;
    /** For whom a passkey is registered; absent where somebody signs in. */
    user_uuid: string | null;
    invitation_uuid: string | null;
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
    /** Absent for a token with all rights of its user. */
    scope: TokenScope | null;
  };
  oauth2_provider: {
    name: string;
    /** One provider answers for an issuer. */
    issuer_url: string;
    /** As the interface has them, without the secret. */
    settings: ProviderSettings;
    sealed_client_secret: Uint8Array | null;
    /** Nothing is made for anybody where it is null. */
    provisioning: ProviderProvisioning | null;
    created_at: Date;
    updated_at: Date;
  };
  external_identity: {
    uuid: string;
    issuer_url: string;
    subject: string;
    user_uuid: string;
    created_at: Date;
  };
  provider_sign_in: {
    token_sha256: Uint8Array;
    provider_name: string;
    return_path: string;
    expires_at: Date;
    /** Where it began on the page of an invitation: hash of its secret. */
    invitation_sha256: Uint8Array | null;
  };
  provider_session: {
    uuid: string;
    /** Null once the session has ended here. */
    session_sha256: Uint8Array | null;
    user_uuid: string;
    provider_name: string;
    sealed_tokens: Uint8Array;
    /** When the access token expires, where the provider said so. */
    access_expires_at: Date | null;
    /** Until then one node renews the tokens. */
    renewing_until: Date | null;
    created_at: Date;
  };
};

export type ProviderSettings = Omit<OAuth2ProviderSettingsUpdateDto, 'clientSecret'> & { readonly issuerUrl: string };

export type UserRow = IdentityTables['platform_user'];
export type RoleRow = IdentityTables['role'];
export type SessionRow = IdentityTables['session'];
export type InvitationRow = IdentityTables['invitation'];
export type PasskeyRow = IdentityTables['passkey'];
export type PasskeyChallengeRow = IdentityTables['passkey_challenge'];
export type AccessTokenRow = IdentityTables['access_token'];
export type ProviderRow = IdentityTables['oauth2_provider'];
export type ExternalIdentityRow = IdentityTables['external_identity'];
export type ProviderSessionRow = IdentityTables['provider_session'];
