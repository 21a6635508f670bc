// Dependencies of the connector use cases.
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine, CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { AuthVault } from './authentication.ts';
import type { BuiltIns } from './built-ins.ts';
import type { Clients } from './clients.ts';
import type { DependentRegistry } from './dependents.ts';
import type { FunctionGroup } from './info-response.ts';

export interface ConnectorServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly clients: Clients;
  readonly vault: AuthVault;
  readonly builtIns: BuiltIns;
  readonly dependants: DependentRegistry;
  /**
   * Rejects a connector with exactly the same function groups and kinds as another one, if the installation requires
   * that.
   */
  readonly refuseSameKinds: (groups: readonly FunctionGroup[], ownUuid: string) => Promise<void>;
}

export interface ServiceParts extends ConnectorServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}
