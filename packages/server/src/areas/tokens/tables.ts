// Rows of the tables that this area owns (migration 0058-tokens).
import type { TokenInstanceStatus } from '@signetry/contract';

export type TokenTables = {
  token: {
    uuid: string;
    name: string;
    connector_uuid: string | null;
    connector_name: string;
    connector_token_uuid: string;
    kind: string;
    /** As its provider last told it. */
    status: TokenInstanceStatus;
    /** Its removal has begun and nothing may come to depend on it. */
    removing: boolean;
    /** Nobody else may edit it until then. */
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
    /** Sum of the bits of `keyUsageBit`. */
    usages: number;
    created_at: Date;
    updated_at: Date;
  };
};

export type TokenRow = TokenTables['token'];
export type TokenProfileRow = TokenTables['token_profile'];
