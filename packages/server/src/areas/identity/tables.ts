// Rows of this area's tables (migrations 0002-identity, 0013-object-permissions, 0015-token-descent, 0034-settings,
// 0036-external-identities and 0037-passkeys).
import type { OAuth2ProviderSettingsUpdateDto, ProviderProvisioning, SessionOpening } from '@signetry/contract';
import type { ObjectPermissionRow, PermissionRow } from './permissions/permission-rows.ts';

/** Upper limit for a token's permissions: the current permissions of a role, or the permissions listed here. */
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
    /** A denial overrides all permissions. */
    denied: boolean;
  };
  session: {
    token_sha256: Uint8Array;
    uuid: string;
    user_uuid: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    /** Idle timeout in seconds; null for the default. */
    idle_s: number | null;
    opened_with: SessionOpening;
    /** Passkey with which the session was opened; the session ends when it is removed. */
    passkey_uuid: string | null;
    user_agent: string | null;
    address: string | null;
  };
  invitation: {
    uuid: string;
    user_uuid: string;
    token_sha256: Uint8Array;
    /** Username; null if the platform created the invitation itself. */
    created_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  passkey: {
    uuid: string;
    user_uuid: string;
    name: string;
    credential_id: Uint8Array;
    /** COSE encoding. */
    public_key: Uint8Array;
    sign_count: number;
    transports: string[];
    /** Host name that browsers bind the passkey to. */
    host: string;
    synced: boolean;
    created_at: Date;
    last_used_at: Date | null;
  };
  passkey_challenge: {
    challenge_sha256: Uint8Array;
    origin: string;
    /** User for whom a passkey is being registered; null for a sign-in. */
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
    /** Token that created this token. Removing the parent token also removes this one. */
    parent_uuid: string | null;
    opens_sessions: boolean;
    /** Null for a token that has all of its user's permissions. */
    scope: TokenScope | null;
  };
  oauth2_provider: {
    name: string;
    /** Unique: an issuer belongs to only one provider. */
    issuer_url: string;
    /** In API format, without the secret. */
    settings: ProviderSettings;
    sealed_client_secret: Uint8Array | null;
    /** Null if nothing is created for the provider's users. */
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
    /** Hash of the invitation's secret, if the sign-in began on an invitation page. */
    invitation_sha256: Uint8Array | null;
  };
  provider_session: {
    uuid: string;
    /** Null after the session has ended on the platform. */
    session_sha256: Uint8Array | null;
    user_uuid: string;
    provider_name: string;
    sealed_tokens: Uint8Array;
    /** Expiry of the access token, if the provider specified it. */
    access_expires_at: Date | null;
    /** End of the period in which only one node may renew the tokens. */
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
