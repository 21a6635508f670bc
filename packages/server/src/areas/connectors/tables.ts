// Rows of the tables that this area owns (migration 0004-connectors).
import type { AuthType, ConnectorStatus, EndpointDto, FunctionGroupCode } from '@signetry/contract';
import type { JSONColumnType } from 'kysely';

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
  };
  connector_function_group: {
    connector_uuid: string;
    code: FunctionGroupCode;
    kinds: string[];
    end_points: JSONColumnType<EndpointDto[]>;
    features: string[];
  };
};

export type ConnectorRow = ConnectorTables['connector'];
