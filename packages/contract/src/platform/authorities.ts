// Authorities: certification authorities as instances at a connector.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { line, objectName, uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { BulkActionMessageDto, NameAndIdDto, UuidDto, UuidList, uuidParam } from '../shared/objects.ts';
import { queryInt32 } from '../shared/query.ts';
import { sightOf } from './second-objects.ts';

export const AuthorityInstanceDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    status: z.string(),
    /** Absent when the connector has been removed. */
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
    /** Takes the place of the earlier ones; absent: they stay. */
    attributes: z.array(RequestAttributeDto).optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'AuthorityInstanceUpdateRequestDto' });
export type AuthorityInstanceUpdateRequestDto = z.output<typeof AuthorityInstanceUpdateRequestDto>;

const tag = 'Authority Management';
const endEntityProfileParams = z.object({ uuid: uuid(), endEntityProfileId: queryInt32() });

export const authorityOperations = {
  listAuthorityInstances: operation({
    id: 'listAuthorityInstances',
    summary: 'List of available Authority instances',
    tag,
    method: 'GET',
    path: '/v1/authorities',
    success: { status: 200, body: z.array(AuthorityInstanceDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'list', filtered: true },
  }),
  createAuthorityInstance: operation({
    id: 'createAuthorityInstance',
    summary: 'Add Authority instance',
    tag,
    method: 'POST',
    path: '/v1/authorities',
    body: AuthorityInstanceRequestDto,
    success: { status: 201, body: UuidDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'authorities', action: 'create' },
    also: [sightOf('connectors', 'connectorUuid')],
    audit: { module: 'certificates', resource: 'authorities', operation: 'create' },
  }),
  getAuthorityInstance: operation({
    id: 'getAuthorityInstance',
    summary: 'Details of an Authority instance',
    tag,
    method: 'GET',
    path: '/v1/authorities/{uuid}',
    params: uuidParam,
    success: { status: 200, body: AuthorityInstanceDto },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'detail', object: 'uuid' },
  }),
  editAuthorityInstance: operation({
    id: 'editAuthorityInstance',
    summary: 'Edit Authority instance',
    tag,
    method: 'PUT',
    path: '/v1/authorities/{uuid}',
    params: uuidParam,
    body: AuthorityInstanceUpdateRequestDto,
    success: { status: 200, body: AuthorityInstanceDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'authorities', action: 'update', object: 'uuid' },
    audit: { module: 'certificates', resource: 'authorities', operation: 'update' },
  }),
  deleteAuthorityInstance: operation({
    id: 'deleteAuthorityInstance',
    summary: 'Delete Authority instance',
    tag,
    method: 'DELETE',
    path: '/v1/authorities/{uuid}',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'delete', object: 'uuid' },
    audit: { module: 'certificates', resource: 'authorities', operation: 'delete' },
  }),
  bulkDeleteAuthorityInstance: operation({
    id: 'bulkDeleteAuthorityInstance',
    summary: 'Delete multiple Authority instances',
    tag,
    method: 'DELETE',
    path: '/v1/authorities',
    body: UuidList,
    success: { status: 200, body: z.array(BulkActionMessageDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'authorities', action: 'delete' },
    audit: { module: 'certificates', resource: 'authorities', operation: 'delete' },
  }),
  forceDeleteAuthorityInstances: operation({
    id: 'forceDeleteAuthorityInstances',
    summary: 'Force delete multiple Authority instances',
    tag,
    method: 'DELETE',
    path: '/v1/authorities/force',
    body: UuidList,
    success: { status: 200, body: z.array(BulkActionMessageDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: { resource: 'authorities', action: 'delete' },
    audit: { module: 'certificates', resource: 'authorities', operation: 'forceDelete' },
  }),
  listRAProfileAttributes: operation({
    id: 'listRAProfileAttributes',
    summary: 'List RA Profile Attributes',
    tag,
    method: 'GET',
    path: '/v1/authorities/{uuid}/attributes/raProfile',
    params: uuidParam,
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'ANY', object: 'uuid' },
  }),
  validateRAProfileAttributes: operation({
    id: 'validateRAProfileAttributes',
    summary: 'Validate RA Profile Attributes',
    tag,
    method: 'POST',
    path: '/v1/authorities/{uuid}/attributes/raProfile/validate',
    params: uuidParam,
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'ANY', object: 'uuid' },
  }),
  listEntityProfiles: operation({
    id: 'listEntityProfiles',
    summary: 'List entity profiles',
    tag,
    method: 'GET',
    path: '/v1/authorities/{uuid}/endentityprofiles',
    params: uuidParam,
    success: { status: 200, body: z.array(NameAndIdDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'ANY', object: 'uuid' },
  }),
  listCertificateProfiles: operation({
    id: 'listCertificateProfiles',
    summary: 'List certificate profiles',
    tag,
    method: 'GET',
    path: '/v1/authorities/{uuid}/endentityprofiles/{endEntityProfileId}/certificateprofiles',
    params: endEntityProfileParams,
    success: { status: 200, body: z.array(NameAndIdDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'ANY', object: 'uuid' },
  }),
  listCAsInProfile: operation({
    id: 'listCAsInProfile',
    summary: 'List CAs in Profile',
    tag,
    method: 'GET',
    path: '/v1/authorities/{uuid}/endentityprofiles/{endEntityProfileId}/cas',
    params: endEntityProfileParams,
    success: { status: 200, body: z.array(NameAndIdDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: { resource: 'authorities', action: 'ANY', object: 'uuid' },
  }),
};
