// Groups of certificates, keys and users.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { description, line, objectName } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList, uuidParam } from '../shared/objects.ts';

export const GroupDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    email: z.string().optional(),
    customAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'GroupDto' });
export type GroupDto = z.output<typeof GroupDto>;

export const GroupRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    email: line().optional(),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'GroupRequestDto' });
export type GroupRequestDto = z.output<typeof GroupRequestDto>;

const tag = 'Certificate & Key Group';

export const groupOperations = {
  listGroups: operation({
    id: 'listGroups',
    summary: 'List Groups',
    tag,
    method: 'GET',
    path: '/v1/groups',
    success: { status: 200, body: z.array(GroupDto) },
    errors: [400, 401, 403, 500],
    access: { resource: 'groups', action: 'list', filtered: true },
  }),
  createGroup: operation({
    id: 'createGroup',
    summary: 'Create Group',
    tag,
    method: 'POST',
    path: '/v1/groups',
    body: GroupRequestDto,
    success: { status: 201, body: UuidDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'groups', action: 'create' },
    audit: { module: 'core', resource: 'groups', operation: 'create' },
  }),
  getGroup: operation({
    id: 'getGroup',
    summary: 'Group details',
    tag,
    method: 'GET',
    path: '/v1/groups/{uuid}',
    params: uuidParam,
    success: { status: 200, body: GroupDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'groups', action: 'detail', object: 'uuid' },
  }),
  editGroup: operation({
    id: 'editGroup',
    summary: 'Edit Group',
    tag,
    method: 'PUT',
    path: '/v1/groups/{uuid}',
    params: uuidParam,
    body: GroupRequestDto,
    success: { status: 200, body: GroupDto },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'groups', action: 'update', object: 'uuid' },
    audit: { module: 'core', resource: 'groups', operation: 'update' },
  }),
  deleteGroup: operation({
    id: 'deleteGroup',
    summary: 'Delete Group',
    tag,
    method: 'DELETE',
    path: '/v1/groups/{uuid}',
    params: uuidParam,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'groups', action: 'delete', object: 'uuid' },
    audit: { module: 'core', resource: 'groups', operation: 'delete' },
  }),
  bulkDeleteGroup: operation({
    id: 'bulkDeleteGroup',
    summary: 'Delete multiple Groups',
    tag,
    method: 'DELETE',
    path: '/v1/groups',
    body: UuidList,
    success: { status: 204 },
    errors: [400, 401, 403, 500],
    access: { resource: 'groups', action: 'delete' },
    audit: { module: 'core', resource: 'groups', operation: 'delete' },
  }),
};
