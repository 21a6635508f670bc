// Presents connectors in the API format.
import {
  FunctionGroupCode,
  functionGroupSpecifications,
  type ConnectDto,
  type ConnectorDto,
  type FunctionGroupDto,
} from '@signetry/contract';
import { presentAuthSettings, type AuthSettings } from './authentication.ts';
import { displayedEndpoints, type FunctionGroup } from './info-response.ts';
import type { StoredConnector } from './store.ts';

/** The interface lets each installation choose this group's identifier; it only has to remain constant. */
const COMPLIANCE_V2_UUID = '0b8b5a3c-6c0a-4d57-9d0f-6a2f5f0e7c21';

/** The group's identifier and name come from the platform, not from the connector. */
const presentFunctionGroup = (group: FunctionGroup): FunctionGroupDto => ({
  uuid: functionGroupSpecifications[group.code].uuid ?? COMPLIANCE_V2_UUID,
  name: FunctionGroupCode.labels[group.code],
  functionGroupCode: group.code,
  kinds: [...group.kinds],
  endPoints: displayedEndpoints(group),
});

export const presentConnections = (groups: readonly FunctionGroup[]): ConnectDto[] =>
  groups.map((group) => ({ functionGroup: presentFunctionGroup(group) }));

/** Returns a connector as listed: without the settings for authentication. */
export const presentListed = ({ uuid, name, url, status, functionGroups }: StoredConnector) => ({
  uuid,
  name,
  url,
  status,
  functionGroups: functionGroups.map(presentFunctionGroup),
});

export const presentConnector = (
  connector: StoredConnector,
  shown: { readonly auth: AuthSettings; readonly functionGroups: readonly FunctionGroup[] },
): ConnectorDto => ({
  uuid: connector.uuid,
  name: connector.name,
  url: connector.url,
  status: connector.status,
  authType: connector.auth_type,
  authAttributes: presentAuthSettings(shown.auth),
  functionGroups: shown.functionGroups.map(presentFunctionGroup),
});
