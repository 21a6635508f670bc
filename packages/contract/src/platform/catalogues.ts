// Catalogues that clients build their forms from: enumerations and resources.
import { z } from 'zod';
import { PlatformEnum } from '../enums/catalogue.ts';
import { operations, plainErrors } from '../operations.ts';
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

export const catalogueOperations = operations(
  { tag: tags.enums, errors: plainErrors },
  {
    getPlatformEnums: {
      route: 'GET /v1/enums',
      summary: 'List platform enumerations',
      answer: z.partialRecord(PlatformEnum, z.record(z.string(), EnumItemDto)),
      access: 'authenticated',
    },
    listResources: {
      route: 'GET /v1/resources',
      summary: 'Retrieve list of resources with information and settings',
      tag: tags.resources,
      answer: z.array(ResourceDto),
      access: 'authenticated',
    },
  },
);
