// Authorities: certification authorities, as instances of a connector.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { line, objectName, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { BulkActionMessageDto, NameAndIdDto, UuidDto, UuidList } from '../shared/objects.ts';
import { queryInt32 } from '../shared/query.ts';
import { sightOf, sightOfCredentials, useOfKeys } from './referenced-objects.ts';

export const AuthorityInstanceDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    status: z.string(),
    /** Absent if the connector has been removed. */
    connectorUuid: z.string().optional(),
    connectorName: z.string().optional(),
    kind: z.string(),
  })
  .meta({ id: 'AuthorityInstanceDto' });
export type AuthorityInstanceDto = z.output<typeof AuthorityInstanceDto>;

export const AuthorityInstanceRequestDto = z
  .object({
    name: objectName(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    connectorUuid: uuid(),
    kind: line(),
  })
  .meta({ id: 'AuthorityInstanceRequestDto' });
export type AuthorityInstanceRequestDto = z.output<typeof AuthorityInstanceRequestDto>;

export const AuthorityInstanceUpdateRequestDto = z
  .object({
    /** Replaces the previous attributes. If absent, they are unchanged. */
    attributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'AuthorityInstanceUpdateRequestDto' });
export type AuthorityInstanceUpdateRequestDto = z.output<typeof AuthorityInstanceUpdateRequestDto>;

const endEntityProfileParams = z.object({ uuid: uuid(), endEntityProfileId: queryInt32() });

export const authorityOperations = operations(
  { tag: 'Authority Management', resource: 'authorities', module: 'certificates', errors: connectorErrors },
  {
    listAuthorityInstances: {
      route: 'GET /v1/authorities',
      summary: 'List of available Authority instances',
      answer: z.array(AuthorityInstanceDto),
      access: { action: 'list', filtered: true },
    },
    createAuthorityInstance: {
      route: 'POST /v1/authorities',
      summary: 'Add Authority instance',
      body: AuthorityInstanceRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid'), sightOfCredentials, useOfKeys],
      audit: 'create',
    },
    getAuthorityInstance: {
      route: 'GET /v1/authorities/{uuid}',
      summary: 'Details of an Authority instance',
      answer: AuthorityInstanceDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editAuthorityInstance: {
      route: 'PUT /v1/authorities/{uuid}',
      summary: 'Edit Authority instance',
      body: AuthorityInstanceUpdateRequestDto,
      answer: AuthorityInstanceDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
      also: [sightOfCredentials, useOfKeys],
    },
    deleteAuthorityInstance: {
      route: 'DELETE /v1/authorities/{uuid}',
      summary: 'Delete Authority instance',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteAuthorityInstance: {
      route: 'DELETE /v1/authorities',
      summary: 'Delete multiple Authority instances',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    forceDeleteAuthorityInstances: {
      route: 'DELETE /v1/authorities/force',
      summary: 'Force delete multiple Authority instances',
      body: UuidList,
      answer: z.array(BulkActionMessageDto),
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'forceDelete',
    },
    listRAProfileAttributes: {
      route: 'GET /v1/authorities/{uuid}/attributes/raProfile',
      summary: 'List RA Profile Attributes',
      answer: z.array(BaseAttributeDto),
      access: { action: 'ANY', object: 'uuid' },
    },
    validateRAProfileAttributes: {
      route: 'POST /v1/authorities/{uuid}/attributes/raProfile/validate',
      summary: 'Validate RA Profile Attributes',
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      access: { action: 'ANY', object: 'uuid' },
      also: [sightOfCredentials],
    },
    listEntityProfiles: {
      route: 'GET /v1/authorities/{uuid}/endentityprofiles',
      summary: 'List entity profiles',
      answer: z.array(NameAndIdDto),
      access: { action: 'ANY', object: 'uuid' },
    },
    listCertificateProfiles: {
      route: 'GET /v1/authorities/{uuid}/endentityprofiles/{endEntityProfileId}/certificateprofiles',
      summary: 'List certificate profiles',
      params: endEntityProfileParams,
      answer: z.array(NameAndIdDto),
      access: { action: 'ANY', object: 'uuid' },
    },
    listCAsInProfile: {
      route: 'GET /v1/authorities/{uuid}/endentityprofiles/{endEntityProfileId}/cas',
      summary: 'List CAs in Profile',
      params: endEntityProfileParams,
      answer: z.array(NameAndIdDto),
      access: { action: 'ANY', object: 'uuid' },
    },
  },
);
