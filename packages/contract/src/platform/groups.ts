// Groups of certificates, keys and users.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { description, line, objectName } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';

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

export const groupOperations = operations(
  { tag: 'Certificate & Key Group', resource: 'groups', module: 'core', errors: objectErrors },
  {
    listGroups: {
      route: 'GET /v1/groups',
      summary: 'List Groups',
      answer: z.array(GroupDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    createGroup: {
      route: 'POST /v1/groups',
      summary: 'Create Group',
      body: GroupRequestDto,
      created: UuidDto,
      access: { action: 'create' },
      audit: 'create',
    },
    getGroup: {
      route: 'GET /v1/groups/{uuid}',
      summary: 'Group details',
      answer: GroupDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editGroup: {
      route: 'PUT /v1/groups/{uuid}',
      summary: 'Edit Group',
      body: GroupRequestDto,
      answer: GroupDto,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    deleteGroup: {
      route: 'DELETE /v1/groups/{uuid}',
      summary: 'Delete Group',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteGroup: {
      route: 'DELETE /v1/groups',
      summary: 'Delete multiple Groups',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
  },
);
