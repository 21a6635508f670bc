// Catalogs from which clients build their forms: enumerations and resources.
import { z } from 'zod';
import { PlatformEnum } from '../enums/catalog.ts';
import { ResourceEvent } from '../enums/workflows.ts';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { queryBoolean } from '../shared/query.ts';
import { SearchFieldDataByGroupDto } from '../shared/search.ts';
import { Resource } from './resource.ts';

export const EnumItemDto = z
  .object({ code: z.string(), label: z.string(), description: z.string().optional() })
  .meta({ id: 'EnumItemDto' });
export type EnumItemDto = z.output<typeof EnumItemDto>;

/** Features that the platform supports for a resource's objects. */
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

/** An event and its resource. */
export const ResourceEventDto = z
  .object({ event: ResourceEvent, producedResource: Resource.optional() })
  .meta({ id: 'ResourceEventDto' });
export type ResourceEventDto = z.output<typeof ResourceEventDto>;

const tags = { enums: 'Enums', resources: 'Resource Management' };

export const catalogOperations = operations(
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
    listAllResourceEvents: {
      route: 'GET /v1/resources/events',
      summary: 'Retrieve events of all resources',
      tag: tags.resources,
      answer: z.partialRecord(ResourceEvent, z.array(ResourceEventDto)),
      access: 'authenticated',
    },
    listResourceEvents: {
      route: 'GET /v1/resources/{resource}/events',
      summary: 'Retrieve events a resource can trigger',
      tag: tags.resources,
      params: z.object({ resource: Resource }),
      answer: z.array(ResourceEventDto),
      access: 'authenticated',
    },
    listResourceRuleFilterFields: {
      route: 'GET /v1/resources/{resource}/filters/rules',
      summary: 'Retrieve filter fields for rule conditions and actions',
      tag: tags.resources,
      errors: objectErrors,
      params: z.object({ resource: Resource }),
      query: z.object({ settable: queryBoolean().optional() }),
      answer: z.array(SearchFieldDataByGroupDto),
      access: 'authenticated',
    },
  },
);
