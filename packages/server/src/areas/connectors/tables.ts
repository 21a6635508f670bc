// Row types for this area's tables (migrations 0004-connectors, 0028-connector-calls).
import type { AuthType, ConnectorStatus, ConnectorTokenKey, EndpointDto, FunctionGroupCode } from '@signetry/contract';
import type { JSONColumnType, Selectable } from 'kysely';

export type ConnectorTables = {
  connector: {
    uuid: string;
    name: string;
    url: string;
    auth_type: AuthType;
    sealed_auth_attributes: Buffer | null;
    status: ConnectorStatus;
    created_at: Date;
    updated_at: Date;
    /** When the connector is due for its next check. */
    check_at: Date;
  };
  connector_function_group: {
    connector_uuid: string;
    code: FunctionGroupCode;
    kinds: string[];
    end_points: JSONColumnType<EndpointDto[]>;
    features: string[];
  };
  connector_token_key: {
    uuid: string;
    key_id: string;
    sealed_key: Buffer;
    public_key: JSONColumnType<ConnectorTokenKey>;
    created_at: Date;
    retired_at: Date | null;
  };
};

export type ConnectorRow = ConnectorTables['connector'];
export type TokenKeyRow = Selectable<ConnectorTables['connector_token_key']>;
