// Connectors as returned by the platform.
import type { connectorManagementOperations, OperationAnswer } from '@signetry/contract';

export type Connector = OperationAnswer<typeof connectorManagementOperations.getConnector>;
export type FunctionGroup = Connector['functionGroups'][number];
export type Connection = OperationAnswer<typeof connectorManagementOperations.connectConnector>[number];
