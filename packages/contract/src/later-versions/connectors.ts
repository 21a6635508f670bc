// Operations on connectors that version 2.17 of the published interface adds. The platform announces version 2.16.1, so
// they are not part of its API description; docs/reference/interface-versions.md lists them.
import { z } from 'zod';
import { enumeration } from '../enumeration.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { uuid } from '../primitives.ts';
import {
  ConnectorDto,
  ConnectorRequestDto,
  ConnectorUpdateRequestDto,
  ConnectRequestDto,
  FunctionGroupDto,
} from '../platform/connectors.ts';
import { BulkActionMessageDto, UuidList } from '../shared/objects.ts';
import { pageTotals } from '../shared/paging.ts';
import { SearchFieldDataByGroupDto, SearchRequestDto } from '../shared/search.ts';

/** Version of the connector interface. Connectors of version `v2` cannot be registered. */
export const ConnectorVersion = enumeration('ConnectorVersion', { v1: 'v1', v2: 'v2' });
export type ConnectorVersion = z.output<typeof ConnectorVersion>;

/** Interfaces of a connector of version `v2`; a connector of version `v1` has function groups instead. */
const interfaces = z.array(z.object({ uuid: uuid(), code: z.string(), version: z.string() }));

export const ConnectorDetailDtoV2 = ConnectorDto.extend({ version: ConnectorVersion, interfaces }).meta({
  id: 'ConnectorDetailDtoV2',
});
export type ConnectorDetailDtoV2 = z.output<typeof ConnectorDetailDtoV2>;

export const ConnectorDtoV2 = ConnectorDetailDtoV2.omit({
  authType: true,
  authAttributes: true,
  customAttributes: true,
}).meta({ id: 'ConnectorDtoV2' });
export type ConnectorDtoV2 = z.output<typeof ConnectorDtoV2>;

export const ConnectorPageV2 = z
  .object({ ...pageTotals, items: z.array(ConnectorDtoV2) })
  .meta({ id: 'PaginationResponseDtoConnectorDtoV2' });
export type ConnectorPageV2 = z.output<typeof ConnectorPageV2>;

export const ConnectorRequestDtoV2 = ConnectorRequestDto.extend({ version: ConnectorVersion }).meta({
  id: 'ConnectorRequestDtoV2',
});
export type ConnectorRequestDtoV2 = z.output<typeof ConnectorRequestDtoV2>;

/** What a connector offers, by version of the connector interface. */
export const ConnectInfo = z
  .object({
    version: ConnectorVersion,
    /** Connector that was named in the request. */
    connectorUuid: z.string().optional(),
    functionGroups: z.array(FunctionGroupDto),
  })
  .meta({ id: 'ConnectInfoV1' });
export type ConnectInfo = z.output<typeof ConnectInfo>;

const HealthStatusV2 = z.enum(['UP', 'DEGRADED', 'DOWN', 'OUT_OF_SERVICE', 'UNKNOWN']);

/** Health of a connector and its components, by component name. */
export const HealthInfo = z
  .object({
    status: HealthStatusV2,
    components: z
      .record(z.string(), z.object({ status: HealthStatusV2, details: z.record(z.string(), z.unknown()).optional() }))
      .optional(),
  })
  .meta({ id: 'HealthInfo' });
export type HealthInfo = z.output<typeof HealthInfo>;

export const connectorV2Operations = operations(
  {
    tag: 'Connector Management v2',
    resource: 'connectors',
    module: 'core',
    errors: connectorErrors,
    since: '2.17',
  },
  {
    listConnectorsV2: {
      route: 'POST /v2/connectors/list',
      summary: 'List Connectors',
      body: SearchRequestDto,
      answer: ConnectorPageV2,
      access: { action: 'list', filtered: true },
    },
    getConnectorSearchableFields: {
      route: 'GET /v2/connectors/search',
      summary: 'Get Connectors searchable fields information',
      answer: z.array(SearchFieldDataByGroupDto),
      access: { action: 'list', filtered: true },
    },
    getConnectorV2: {
      route: 'GET /v2/connectors/{uuid}',
      summary: 'Get details of a Connector',
      answer: ConnectorDetailDtoV2,
      access: { action: 'detail', object: 'uuid' },
    },
    createConnectorV2: {
      route: 'POST /v2/connectors',
      summary: 'Create a new Connector',
      body: ConnectorRequestDtoV2,
      answer: ConnectorDetailDtoV2,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      audit: 'create',
    },
    editConnectorV2: {
      route: 'PUT /v2/connectors/{uuid}',
      summary: 'Edit a Connector',
      body: ConnectorUpdateRequestDto,
      answer: ConnectorDetailDtoV2,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    deleteConnectorV2: {
      route: 'DELETE /v2/connectors/{uuid}',
      summary: 'Delete a Connector',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteConnectorV2: {
      route: 'DELETE /v2/connectors',
      summary: 'Delete multiple Connectors',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    bulkForceDeleteConnectorV2: {
      route: 'POST /v2/connectors/forceDelete',
      summary: 'Force Delete multiple Connectors',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    connectV2: {
      route: 'POST /v2/connectors/connect',
      summary: 'Connect to a Connector',
      body: ConnectRequestDto,
      answer: z.array(ConnectInfo),
      errors: connectorRuleErrors,
      access: { action: 'connect' },
      also: [{ resource: 'connectors', action: 'connect', named: 'uuid' }],
      audit: 'connect',
    },
    reconnectV2: {
      route: 'POST /v2/connectors/{uuid}/reconnect',
      summary: 'Reconnect Connector',
      answer: ConnectInfo,
      errors: connectorRuleErrors,
      access: { action: 'connect', object: 'uuid' },
      audit: 'reconnect',
    },
    bulkReconnectV2: {
      route: 'POST /v2/connectors/reconnect',
      summary: 'Reconnect multiple Connectors',
      body: UuidList,
      access: { action: 'connect' },
      audit: 'reconnect',
    },
    approveV2: {
      route: 'PATCH /v2/connectors/{uuid}/approve',
      summary: 'Approve a Connector',
      errors: connectorRuleErrors,
      access: { action: 'approve', object: 'uuid' },
      audit: 'approve',
    },
    bulkApproveV2: {
      route: 'POST /v2/connectors/approve',
      summary: 'Approve multiple Connectors',
      body: UuidList,
      access: { action: 'approve' },
      audit: 'approve',
    },
    checkHealthV2: {
      route: 'GET /v2/connectors/{uuid}/health',
      summary: 'Check Health of a Connector',
      answer: HealthInfo,
      access: { action: 'detail', object: 'uuid' },
    },
  },
);
