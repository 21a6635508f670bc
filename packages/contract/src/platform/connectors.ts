// Connectors: registration, what they offer, how the platform authenticates itself to them.
import { z } from 'zod';
import { AuthType, ConnectorStatus, FunctionGroupCode } from '../enums/connectors.ts';
import { operation } from '../operation.ts';
import { objectName, url, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { EndpointDto, HealthDto } from '../shared/function-groups.ts';
import { BulkActionMessageDto, UuidDto, UuidList, uuidParam } from '../shared/objects.ts';

/** Identifier and name are the platform's, the endpoints are those that the connector declares. */
export const FunctionGroupDto = z
  .object({
    functionGroupCode: FunctionGroupCode,
    kinds: z.array(z.string()),
    endPoints: z.array(EndpointDto),
    uuid: z.string(),
    name: z.string(),
  })
  .meta({ id: 'FunctionGroupDto' });
export type FunctionGroupDto = z.output<typeof FunctionGroupDto>;

export const ConnectorDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    functionGroups: z.array(FunctionGroupDto),
    url: z.string(),
    authType: AuthType,
    authAttributes: z.array(ResponseAttributeDto).optional(),
    status: ConnectorStatus,
    customAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'ConnectorDto' });
export type ConnectorDto = z.output<typeof ConnectorDto>;

export const ConnectorRequestDto = z
  .object({
    name: objectName(),
    url: url(),
    authType: AuthType,
    authAttributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ConnectorRequestDto' });
export type ConnectorRequestDto = z.output<typeof ConnectorRequestDto>;

/** The name stays; authentication changes as a whole, when `authType` is given. */
export const ConnectorUpdateRequestDto = z
  .object({
    url: url().optional(),
    authType: AuthType.optional(),
    authAttributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ConnectorUpdateRequestDto' });
export type ConnectorUpdateRequestDto = z.output<typeof ConnectorUpdateRequestDto>;

/** A connector to be tried out; nothing is stored. */
export const ConnectRequestDto = z
  .object({
    url: url(),
    /** The connector whose stored credentials are to be used where none are given. */
    uuid: uuid().optional(),
    authType: AuthType,
    authAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ConnectRequestDto' });
export type ConnectRequestDto = z.output<typeof ConnectRequestDto>;

export const ConnectDto = z.object({ functionGroup: FunctionGroupDto }).meta({ id: 'ConnectDto' });
export type ConnectDto = z.output<typeof ConnectDto>;

const tags = { management: 'Connector Management', authentication: 'Connector Authentication' };

export const connectorManagementOperations = {
  listConnectors: operation({
    id: 'listConnectors',
    summary: 'List Connectors by Function Group and Kind',
    tag: tags.management,
    method: 'GET',
    path: '/v1/connectors',
    query: z.object({
      functionGroup: FunctionGroupCode.optional(),
      kind: z.string().optional(),
      status: ConnectorStatus.optional(),
    }),
    success: { status: 200, body: z.array(ConnectorDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'list', filtered: true },
  }),
  createConnector: operation({
    id: 'createConnector',
    summary: 'Create a new Connector',
    tag: tags.management,
    method: 'POST',
    path: '/v1/connectors',
    body: ConnectorRequestDto,
    success: { status: 200, body: UuidDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'connectors', action: 'create' },
    audit: { module: 'core', resource: 'connectors', operation: 'create' },
  }),
  getConnector: operation({
    id: 'getConnector',
    summary: 'Get details of a Connector',
    tag: tags.management,
    method: 'GET',
    path: '/v1/connectors/{uuid}',
    params: uuidParam,
    success: { status: 200, body: ConnectorDto },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'detail', object: 'uuid' },
  }),
  editConnector: operation({
    id: 'editConnector',
    summary: 'Edit a Connector',
    tag: tags.management,
    method: 'PUT',
    path: '/v1/connectors/{uuid}',
    params: uuidParam,
    body: ConnectorUpdateRequestDto,
    success: { status: 200, body: ConnectorDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'connectors', action: 'update', object: 'uuid' },
    audit: { module: 'core', resource: 'connectors', operation: 'update' },
  }),
  deleteConnector: operation({
    id: 'deleteConnector',
    summary: 'Delete a Connector',
    tag: tags.management,
    method: 'DELETE',
    path: '/v1/connectors/{uuid}',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'delete', object: 'uuid' },
    audit: { module: 'core', resource: 'connectors', operation: 'delete' },
  }),
  bulkDeleteConnector: operation({
    id: 'bulkDeleteConnector',
    summary: 'Delete multiple Connectors',
    tag: tags.management,
    method: 'DELETE',
    path: '/v1/connectors',
    body: UuidList,
    success: { status: 200, body: z.array(BulkActionMessageDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'connectors', action: 'delete' },
    audit: { module: 'core', resource: 'connectors', operation: 'delete' },
  }),
  forceDeleteConnector: operation({
    id: 'forceDeleteConnector',
    summary: 'Force Delete multiple Connectors',
    tag: tags.management,
    method: 'DELETE',
    path: '/v1/connectors/force',
    body: UuidList,
    success: { status: 200, body: z.array(BulkActionMessageDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'connectors', action: 'delete' },
    audit: { module: 'core', resource: 'connectors', operation: 'forceDelete' },
  }),
  connectConnector: operation({
    id: 'connect',
    summary: 'Connect to a Connector',
    tag: tags.management,
    method: 'PUT',
    path: '/v1/connectors/connect',
    body: ConnectRequestDto,
    success: { status: 200, body: z.array(ConnectDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'connectors', action: 'connect' },
    also: [{ resource: 'connectors', action: 'connect', named: 'uuid' }],
    audit: { module: 'core', resource: 'connectors', operation: 'connect' },
  }),
  /** Asks the connector again for its function groups. */
  reconnectConnector: operation({
    id: 'reconnect',
    summary: 'Reconnect to a Connector',
    tag: tags.management,
    method: 'PUT',
    path: '/v1/connectors/{uuid}/reconnect',
    params: uuidParam,
    success: { status: 200, body: z.array(ConnectDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'connectors', action: 'connect', object: 'uuid' },
    audit: { module: 'core', resource: 'connectors', operation: 'reconnect' },
  }),
  bulkReconnectConnector: operation({
    id: 'bulkReconnect',
    summary: 'Reconnect multiple Connectors',
    tag: tags.management,
    method: 'PUT',
    path: '/v1/connectors/reconnect',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'connect' },
    audit: { module: 'core', resource: 'connectors', operation: 'reconnect' },
  }),
  checkConnectorHealth: operation({
    id: 'checkHealth',
    summary: 'Check Health of a Connector',
    tag: tags.management,
    method: 'GET',
    path: '/v1/connectors/{uuid}/health',
    params: uuidParam,
    success: { status: 200, body: HealthDto },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'detail', object: 'uuid' },
  }),
  getConnectorAttributesAll: operation({
    id: 'getAttributesAll',
    summary: 'Get attributes of all Function Groups',
    tag: tags.management,
    method: 'GET',
    path: '/v1/connectors/{uuid}/attributes',
    params: uuidParam,
    success: { status: 200, body: z.partialRecord(FunctionGroupCode, z.record(z.string(), z.array(BaseAttributeDto))) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'ANY', object: 'uuid' },
  }),
  getConnectorAttributes: operation({
    id: 'getAttributes',
    summary: 'Get Attributes from a Connector',
    tag: tags.management,
    method: 'GET',
    path: '/v1/connectors/{uuid}/attributes/{functionGroup}/{kind}',
    params: z.object({ uuid: uuid(), functionGroup: FunctionGroupCode, kind: z.string() }),
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'ANY', object: 'uuid' },
  }),
  validateConnectorAttributes: operation({
    id: 'validateAttributes',
    summary: 'Validate Attributes',
    tag: tags.management,
    method: 'POST',
    path: '/v1/connectors/{uuid}/{functionGroup}/{kind}/validate',
    params: z.object({ uuid: uuid(), functionGroup: z.string(), kind: z.string() }),
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'connectors', action: 'ANY', object: 'uuid' },
  }),
  getAuthenticationTypes: operation({
    id: 'getAuthenticationTypes',
    summary: 'Get list of Authentication Types',
    tag: tags.authentication,
    method: 'GET',
    path: '/v1/connectors/auth/types',
    success: { status: 200, body: z.array(z.string()) },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  getBasicAuthAttributes: operation({
    id: 'getBasicAuthAttributes',
    summary: 'Get basic auth Attributes',
    tag: tags.authentication,
    method: 'GET',
    path: '/v1/connectors/auth/attributes/basic',
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  validateBasicAuthAttributes: operation({
    id: 'validateBasicAuthAttributes',
    summary: 'Validate basic auth Attributes',
    tag: tags.authentication,
    method: 'POST',
    path: '/v1/connectors/auth/attributes/basic/validate',
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  getCertificateAuthAttributes: operation({
    id: 'getCertificateAttributes',
    summary: 'Get Attributes for certificate auth',
    tag: tags.authentication,
    method: 'GET',
    path: '/v1/connectors/auth/attributes/certificate',
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  validateCertificateAuthAttributes: operation({
    id: 'validateCertificateAttributes',
    summary: 'Validate certificate auth Attributes',
    tag: tags.authentication,
    method: 'POST',
    path: '/v1/connectors/auth/attributes/certificate/validate',
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  getApiKeyAuthAttributes: operation({
    id: 'getApiKeyAuthAttributes',
    summary: 'Get API Key auth Attributes',
    tag: tags.authentication,
    method: 'GET',
    path: '/v1/connectors/auth/attributes/apiKey',
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  validateApiKeyAuthAttributes: operation({
    id: 'validateApiKeyAuthAttributes',
    summary: 'Validate API Key Attributes',
    tag: tags.authentication,
    method: 'POST',
    path: '/v1/connectors/auth/attributes/apiKey/validate',
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  getJWTAuthAttributes: operation({
    id: 'getJWTAuthAttributes',
    summary: 'Get JWT auth Attributes',
    tag: tags.authentication,
    method: 'GET',
    path: '/v1/connectors/auth/attributes/jwt',
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
  validateJWTAuthAttributes: operation({
    id: 'validateJWTAuthAttributes',
    summary: 'Validate JWT auth Attributes',
    tag: tags.authentication,
    method: 'POST',
    path: '/v1/connectors/auth/attributes/jwt/validate',
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500],
    access: 'authenticated',
  }),
};
