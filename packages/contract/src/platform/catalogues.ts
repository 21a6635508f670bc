// Catalogues that clients build their forms from: enumerations and resources.
import { z } from 'zod';
import { PlatformEnum } from '../enums/catalogue.ts';
import { operation } from '../operation.ts';
import { Resource } from './resource.ts';

export const EnumItemDto = z
  .object({ code: z.string(), label: z.string(), description: z.string().optional() })
  .meta({ id: 'EnumItemDto' });
export type EnumItemDto = z.output<typeof EnumItemDto>;

/** What the platform supports for the objects of a resource. */
export const ResourceDto = z
  .object({
    resource: Resource,
    hasObjectAccess: z.boolean(),
    hasCustomAttributes: z.boolean(),
    hasGroups: z.boolean(),
    hasOwner: z.boolean(),
    hasEvents: z.boolean(),
    hasRuleEvaluator: z.boolean(),
    complianceSubject: z.boolean(),
    hasComplianceProfiles: z.boolean(),
  })
  .meta({ id: 'ResourceDto' });
export type ResourceDto = z.output<typeof ResourceDto>;

const tags = { enums: 'Enums', resources: 'Resource Management' };

export const catalogueOperations = {
  getPlatformEnums: operation({
    id: 'getPlatformEnums',
    summary: 'List platform enumerations',
    tag: tags.enums,
    method: 'GET',
    path: '/v1/enums',
    success: { status: 200, body: z.partialRecord(PlatformEnum, z.record(z.string(), EnumItemDto)) },
    errors: [400, 401, 403, 500],
    access: 'authenticated',
  }),
  listResources: operation({
    id: 'listResources',
    summary: 'Retrieve list of resources with information and settings',
    tag: tags.resources,
    method: 'GET',
    path: '/v1/resources',
    success: { status: 200, body: z.array(ResourceDto) },
    errors: [400, 401, 403, 500],
    access: 'authenticated',
  }),
};
