// Rows of this area's tables (migrations 0059-keys, 0120-exportable-keys).
import type {
  ComplianceStatus,
  KeyAlgorithm,
  KeyCompromiseReason,
  KeyEvent,
  KeyEventStatus,
  KeyFormat,
  KeyState,
  KeyType,
} from '@signetry/contract';
import type { Generated, Insertable, Selectable } from 'kysely';

export type KeyTables = {
  key: {
    uuid: string;
    name: string;
    description: string | null;
    token_uuid: string | null;
    token_profile_uuid: string | null;
    owner_uuid: string | null;
    owner_username: string | null;
    /** Whether the private key can be exported. Specified when the key is created; never changed. */
    exportable: boolean;
    created_at: Date;
    updated_at: Date;
  };
  key_item: {
    uuid: string;
    key_uuid: string;
    name: string;
    /** Identifier at the provider. */
    reference: string | null;
    type: KeyType;
    algorithm: KeyAlgorithm;
    format: KeyFormat;
    /** Length in bits. */
    length: number;
    /** Non-secret key data, in Base64. */
    key_data: string | null;
    /** Lowercase hex SHA-256 of the public half's SubjectPublicKeyInfo; stored for both halves. */
    public_key_fingerprint: string | null;
    /** Sum of `keyUsageBit` values. */
    usages: number;
    enabled: boolean;
    state: KeyState;
    reason: KeyCompromiseReason | null;
    compliance_status: Generated<ComplianceStatus>;
    created_at: Date;
    updated_at: Date;
  };
  key_event: {
    uuid: string;
    item_uuid: string;
    created_at: Date;
    created_by: string;
    event: KeyEvent;
    status: KeyEventStatus;
    message: string;
    additional: Record<string, unknown> | null;
  };
};

export type KeyRow = KeyTables['key'];
export type KeyItemRow = Selectable<KeyTables['key_item']>;
export type NewKeyItem = Insertable<KeyTables['key_item']>;
export type KeyEventRow = KeyTables['key_event'];
