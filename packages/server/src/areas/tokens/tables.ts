// Rows of this area's tables (migration 0058-tokens).
import type { TokenInstanceStatus } from '@signetry/contract';

export type TokenTables = {
  token: {
    uuid: string;
    name: string;
    connector_uuid: string | null;
    connector_name: string;
    connector_token_uuid: string;
    kind: string;
    /** Status most recently reported by the provider. */
    status: TokenInstanceStatus;
    /** Removal has started, so new objects cannot depend on the token. */
    removing: boolean;
    /** Time until which the token is locked against other edits. */
    edited_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  token_profile: {
    uuid: string;
    name: string;
    description: string | null;
    token_uuid: string;
    enabled: boolean;
    /** Sum of `keyUsageBit` values. */
    usages: number;
    created_at: Date;
    updated_at: Date;
  };
};

export type TokenRow = TokenTables['token'];
export type TokenProfileRow = TokenTables['token_profile'];
