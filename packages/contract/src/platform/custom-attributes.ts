// Custom attributes: organization-specific data that administrators define for objects.
import { z } from 'zod';
import { AttributeContentType, AttributeType } from '../enums/attributes.ts';
import type { AdditionalPermission } from '../operation.ts';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { description, line, objectName, uuid } from '../primitives.ts';
import { BaseAttributeContentDto, CustomAttribute, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { Resource } from './resource.ts';

/** User-defined properties of the attribute; an update replaces all of them. */
const entered = {
  visible: z.boolean().default(true),
  group: line().optional(),
  required: z.boolean().default(false),
  readOnly: z.boolean().default(false),
  list: z.boolean().default(false),
  multiSelect: z.boolean().default(false),
  /** Choices in a list; for all other attributes, the initial value in forms. */
  content: z.array(BaseAttributeContentDto).optional(),
  resources: z.array(Resource).optional(),
};

export const CustomAttributeCreateRequestDto = z
  .object({
    name: objectName(),
    contentType: AttributeContentType,
    description: description().optional(),
    label: objectName(),
    ...entered,
  })
  .meta({ id: 'CustomAttributeCreateRequestDto' });
export type CustomAttributeCreateRequestDto = z.output<typeof CustomAttributeCreateRequestDto>;

export const CustomAttributeUpdateRequestDto = z
  .object({ description: description().optional(), label: objectName(), ...entered })
  .meta({ id: 'CustomAttributeUpdateRequestDto' });
export type CustomAttributeUpdateRequestDto = z.output<typeof CustomAttributeUpdateRequestDto>;

const shown = {
  uuid: z.string(),
  name: z.string(),
  contentType: AttributeContentType,
  description: z.string(),
  enabled: z.boolean().optional(),
};

export const CustomAttributeDefinitionDto = z
  .object({ ...shown, resources: z.array(Resource) })
  .meta({ id: 'CustomAttributeDefinitionDto' });
export type CustomAttributeDefinitionDto = z.output<typeof CustomAttributeDefinitionDto>;

export const CustomAttributeDefinitionDetailDto = z
  .object({
    ...shown,
    type: AttributeType.default('custom'),
    label: z.string(),
    required: z.boolean(),
    visible: z.boolean().default(true),
    group: z.string().optional(),
    readOnly: z.boolean().default(false),
    list: z.boolean().default(false),
    multiSelect: z.boolean().default(false),
    content: z.array(BaseAttributeContentDto).optional(),
    resources: z.array(Resource).optional(),
  })
  .meta({ id: 'CustomAttributeDefinitionDetailDto' });
export type CustomAttributeDefinitionDetailDto = z.output<typeof CustomAttributeDefinitionDetailDto>;

const valueParams = z.object({ resourceName: Resource, objectUuid: uuid(), attributeUuid: uuid() });

/**
 * Setting a value requires the permission to use the attribute, and the same permissions on parent objects as any other
 * change.
 */
const ofAttributeAndParents: readonly AdditionalPermission[] = [
  { resource: 'attributes', action: 'members', object: 'attributeUuid' },
  {
    resource: 'raProfiles',
    action: 'members',
    where: 'the object is a certificate with an RA profile, on the profile',
  },
  { resource: 'authorities', action: 'detail', where: 'the object is an RA profile, on its authority' },
];

export const customAttributeOperations = operations(
  { tag: 'Custom Attributes', resource: 'attributes', module: 'core', errors: objectErrors },
  {
    listCustomAttributes: {
      route: 'GET /v1/attributes/custom',
      summary: 'List Custom Attributes',
      query: z.object({ attributeContentType: AttributeContentType.optional() }),
      answer: z.array(CustomAttributeDefinitionDto),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    createCustomAttribute: {
      route: 'POST /v1/attributes/custom',
      summary: 'Create Custom Attribute',
      body: CustomAttributeCreateRequestDto,
      created: UuidDto,
      errors: plainErrors,
      access: { action: 'create' },
      audit: 'create',
    },
    getCustomAttribute: {
      route: 'GET /v1/attributes/custom/{uuid}',
      summary: 'Custom Attribute details',
      answer: CustomAttributeDefinitionDetailDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editCustomAttribute: {
      route: 'PUT /v1/attributes/custom/{uuid}',
      summary: 'Edit Custom Attribute',
      body: CustomAttributeUpdateRequestDto,
      answer: CustomAttributeDefinitionDetailDto,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    deleteCustomAttribute: {
      route: 'DELETE /v1/attributes/custom/{uuid}',
      summary: 'Delete Custom Attribute',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    enableCustomAttribute: {
      route: 'PATCH /v1/attributes/custom/{uuid}/enable',
      summary: 'Enable Custom Attribute',
      access: { action: 'enable', object: 'uuid' },
      audit: 'enable',
    },
    disableCustomAttribute: {
      route: 'PATCH /v1/attributes/custom/{uuid}/disable',
      summary: 'Disable Custom Attribute',
      access: { action: 'enable', object: 'uuid' },
      audit: 'disable',
    },
    bulkDeleteCustomAttributes: {
      route: 'DELETE /v1/attributes/custom',
      summary: 'Delete multiple Custom Attributes',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    bulkEnableCustomAttributes: {
      route: 'PATCH /v1/attributes/custom/enable',
      summary: 'Enable multiple Custom Attributes',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'enable' },
      audit: 'enable',
    },
    bulkDisableCustomAttributes: {
      route: 'PATCH /v1/attributes/custom/disable',
      summary: 'Disable multiple Custom Attributes',
      body: UuidList,
      errors: plainErrors,
      access: { action: 'enable' },
      audit: 'disable',
    },
    updateResources: {
      route: 'PATCH /v1/attributes/custom/{uuid}/resources',
      summary: 'Associate Custom Attribute to Resource',
      body: z.array(Resource),
      access: { action: 'update', object: 'uuid' },
      audit: 'updateAttributeResources',
    },
    getResources: {
      route: 'GET /v1/attributes/custom/resources',
      summary: 'Get available resources for Custom Attributes',
      answer: z.array(Resource),
      errors: plainErrors,
      access: { action: 'list', filtered: true },
    },
    getResourceCustomAttributes: {
      route: 'GET /v1/attributes/custom/resources/{resource}',
      summary: 'Get Custom Attributes for a resource',
      params: z.object({ resource: Resource }),
      answer: z.array(CustomAttribute),
      errors: plainErrors,
      access: { action: 'members', filtered: true },
    },
    updateAttributeContentForResource: {
      route: 'PATCH /v1/attributes/custom/resources/{resourceName}/objects/{objectUuid}/{attributeUuid}',
      summary: 'Update Value of a Custom Attribute for a Resource',
      params: valueParams,
      body: z.array(BaseAttributeContentDto),
      answer: z.array(ResponseAttributeDto),
      access: { resource: '{resourceName}', action: 'update', object: 'objectUuid' },
      also: ofAttributeAndParents,
      audit: 'updateAttributeContent',
    },
    deleteAttributeContentForResource: {
      route: 'DELETE /v1/attributes/custom/resources/{resourceName}/objects/{objectUuid}/{attributeUuid}',
      summary: 'Delete Value of a Custom Attribute for a Resource',
      params: valueParams,
      answer: z.array(ResponseAttributeDto),
      access: { resource: '{resourceName}', action: 'update', object: 'objectUuid' },
      also: ofAttributeAndParents,
      audit: 'deleteAttributeContent',
    },
  },
);
