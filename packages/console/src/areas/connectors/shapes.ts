// Connectors as returned by the platform.
import type { connectorManagementOperations, OperationResponse } from '@signetry/contract';

export type Connector = OperationResponse<typeof connectorManagementOperations.getConnector>;
export type FunctionGroup = Connector['functionGroups'][number];
export type Connection = OperationResponse<typeof connectorManagementOperations.connectConnector>[number];
