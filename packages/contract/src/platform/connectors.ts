// Connectors: registration, capabilities, and how the platform authenticates to them.
import { z } from 'zod';
import { AuthType, ConnectorStatus, FunctionGroupCode } from '../enums/connectors.ts';
import { connectorErrors, connectorRuleErrors, objectErrors, operations } from '../operations.ts';
import { objectName, url, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { EndpointDto, HealthDto } from '../shared/function-groups.ts';
import { BulkActionMessageDto, UuidDto, UuidList } from '../shared/objects.ts';
import { sightOfCredentials } from './referenced-objects.ts';

/** An endpoint as shown by the platform: without an identifier if neither the connector nor the interface has one. */
export const DisplayedEndpointDto = EndpointDto.extend({ uuid: z.string().optional() }).meta({
  id: 'DisplayedEndpointDto',
});
export type DisplayedEndpointDto = z.output<typeof DisplayedEndpointDto>;

/** The identifier and name are defined by the platform, the endpoints by the connector. */
export const FunctionGroupDto = z
  .object({
    functionGroupCode: FunctionGroupCode,
    kinds: z.array(z.string()),
    endPoints: z.array(DisplayedEndpointDto),
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

/** The name cannot be changed. If `authType` is present, the authentication settings are replaced as a whole. */
export const ConnectorUpdateRequestDto = z
  .object({
    url: url().optional(),
    authType: AuthType.optional(),
    authAttributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ConnectorUpdateRequestDto' });
export type ConnectorUpdateRequestDto = z.output<typeof ConnectorUpdateRequestDto>;

/** A connection test for a connector; nothing is stored. */
export const ConnectRequestDto = z
  .object({
    url: url(),
    /** Connector whose stored credentials are used if the request contains none. */
    uuid: uuid().optional(),
    authType: AuthType,
    authAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ConnectRequestDto' });
export type ConnectRequestDto = z.output<typeof ConnectRequestDto>;

export const ConnectDto = z.object({ functionGroup: FunctionGroupDto }).meta({ id: 'ConnectDto' });
export type ConnectDto = z.output<typeof ConnectDto>;

const tags = {
  management: 'Connector Management',
  authentication: 'Connector Authentication',
  registration: 'Connector Registration',
};

export const connectorManagementOperations = operations(
  { tag: tags.management, resource: 'connectors', module: 'core', errors: objectErrors },
  {
    listConnectors: {
      route: 'GET /v1/connectors',
      summary: 'List Connectors by Function Group and Kind',
      query: z.object({
        functionGroup: FunctionGroupCode.optional(),
        kind: z.string().optional(),
        status: ConnectorStatus.optional(),
      }),
      answer: z.array(ConnectorDto),
      errors: connectorErrors,
      access: { action: 'list', filtered: true },
    },
    createConnector: {
      route: 'POST /v1/connectors',
      summary: 'Create a new Connector',
      body: ConnectorRequestDto,
      answer: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      audit: 'create',
    },
    getConnector: {
      route: 'GET /v1/connectors/{uuid}',
      summary: 'Get details of a Connector',
      answer: ConnectorDto,
      errors: connectorErrors,
      access: { action: 'detail', object: 'uuid' },
    },
    editConnector: {
      route: 'PUT /v1/connectors/{uuid}',
      summary: 'Edit a Connector',
      body: ConnectorUpdateRequestDto,
      answer: ConnectorDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    deleteConnector: {
      route: 'DELETE /v1/connectors/{uuid}',
      summary: 'Delete a Connector',
      errors: connectorErrors,
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteConnector: {
      route: 'DELETE /v1/connectors',
      summary: 'Delete multiple Connectors',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    forceDeleteConnector: {
      route: 'DELETE /v1/connectors/force',
      summary: 'Force Delete multiple Connectors',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    connectConnector: {
      route: 'PUT /v1/connectors/connect',
      id: 'connect',
      summary: 'Connect to a Connector',
      body: ConnectRequestDto,
      answer: z.array(ConnectDto),
      errors: connectorRuleErrors,
      access: { action: 'connect' },
      also: [{ resource: 'connectors', action: 'connect', named: 'uuid' }],
      audit: 'connect',
    },
    /** Queries the connector's function groups again. */
    reconnectConnector: {
      route: 'PUT /v1/connectors/{uuid}/reconnect',
      id: 'reconnect',
      summary: 'Reconnect to a Connector',
      answer: z.array(ConnectDto),
      errors: connectorRuleErrors,
      access: { action: 'connect', object: 'uuid' },
      audit: 'reconnect',
    },
    bulkReconnectConnector: {
      route: 'PUT /v1/connectors/reconnect',
      id: 'bulkReconnect',
      summary: 'Reconnect multiple Connectors',
      body: UuidList,
      errors: connectorErrors,
      access: { action: 'connect' },
      audit: 'reconnect',
    },
    approveConnector: {
      route: 'PUT /v1/connectors/{uuid}/approve',
      id: 'approve',
      summary: 'Approve a Connector',
      errors: connectorErrors,
      access: { action: 'approve', object: 'uuid' },
      audit: 'approve',
    },
    bulkApproveConnector: {
      route: 'PUT /v1/connectors/approve',
      id: 'bulkApprove',
      summary: 'Approve multiple Connectors',
      body: UuidList,
      errors: connectorErrors,
      access: { action: 'approve' },
      audit: 'approve',
    },
    /**
     * Used by connectors to register themselves. The platform neither calls nor uses a connector until it is approved.
     */
    registerConnector: {
      route: 'POST /v1/connector/register',
      id: 'register',
      summary: 'Register a Connector',
      tag: tags.registration,
      body: ConnectorRequestDto,
      answer: UuidDto,
      errors: [400, 404, 500],
      access: 'public',
      audit: 'register',
    },
    checkConnectorHealth: {
      route: 'GET /v1/connectors/{uuid}/health',
      id: 'checkHealth',
      summary: 'Check Health of a Connector',
      answer: HealthDto,
      errors: connectorErrors,
      access: { action: 'detail', object: 'uuid' },
    },
    getConnectorAttributesAll: {
      route: 'GET /v1/connectors/{uuid}/attributes',
      id: 'getAttributesAll',
      summary: 'Get attributes of all Function Groups',
      answer: z.partialRecord(FunctionGroupCode, z.record(z.string(), z.array(BaseAttributeDto))),
      errors: connectorErrors,
      access: { action: 'ANY', object: 'uuid' },
    },
    getConnectorAttributes: {
      route: 'GET /v1/connectors/{uuid}/attributes/{functionGroup}/{kind}',
      id: 'getAttributes',
      summary: 'Get Attributes from a Connector',
      params: z.object({ uuid: uuid(), functionGroup: FunctionGroupCode, kind: z.string() }),
      answer: z.array(BaseAttributeDto),
      errors: connectorErrors,
      access: { action: 'ANY', object: 'uuid' },
    },
    validateConnectorAttributes: {
      route: 'POST /v1/connectors/{uuid}/{functionGroup}/{kind}/validate',
      id: 'validateAttributes',
      summary: 'Validate Attributes',
      params: z.object({ uuid: uuid(), functionGroup: z.string(), kind: z.string() }),
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      errors: connectorErrors,
      access: { action: 'ANY', object: 'uuid' },
      also: [sightOfCredentials],
    },
    getAuthenticationTypes: {
      route: 'GET /v1/connectors/auth/types',
      summary: 'Get list of Authentication Types',
      tag: tags.authentication,
      answer: z.array(z.string()),
      access: 'authenticated',
    },
    getBasicAuthAttributes: {
      route: 'GET /v1/connectors/auth/attributes/basic',
      summary: 'Get basic auth Attributes',
      tag: tags.authentication,
      answer: z.array(BaseAttributeDto),
      access: 'authenticated',
    },
    validateBasicAuthAttributes: {
      route: 'POST /v1/connectors/auth/attributes/basic/validate',
      summary: 'Validate basic auth Attributes',
      tag: tags.authentication,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      access: 'authenticated',
    },
    getCertificateAuthAttributes: {
      route: 'GET /v1/connectors/auth/attributes/certificate',
      id: 'getCertificateAttributes',
      summary: 'Get Attributes for certificate auth',
      tag: tags.authentication,
      answer: z.array(BaseAttributeDto),
      access: 'authenticated',
    },
    validateCertificateAuthAttributes: {
      route: 'POST /v1/connectors/auth/attributes/certificate/validate',
      id: 'validateCertificateAttributes',
      summary: 'Validate certificate auth Attributes',
      tag: tags.authentication,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      access: 'authenticated',
    },
    getApiKeyAuthAttributes: {
      route: 'GET /v1/connectors/auth/attributes/apiKey',
      summary: 'Get API Key auth Attributes',
      tag: tags.authentication,
      answer: z.array(BaseAttributeDto),
      access: 'authenticated',
    },
    validateApiKeyAuthAttributes: {
      route: 'POST /v1/connectors/auth/attributes/apiKey/validate',
      summary: 'Validate API Key Attributes',
      tag: tags.authentication,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      access: 'authenticated',
    },
    getJWTAuthAttributes: {
      route: 'GET /v1/connectors/auth/attributes/jwt',
      summary: 'Get JWT auth Attributes',
      tag: tags.authentication,
      answer: z.array(BaseAttributeDto),
      access: 'authenticated',
    },
    validateJWTAuthAttributes: {
      route: 'POST /v1/connectors/auth/attributes/jwt/validate',
      summary: 'Validate JWT auth Attributes',
      tag: tags.authentication,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      access: 'authenticated',
    },
  },
);
