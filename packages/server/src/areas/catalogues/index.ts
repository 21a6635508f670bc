// API catalogs: enumerations, resources with their events, and the fields that rules use. Everything that does not
// depend on the caller comes from the contract. Owns: no table.
import {
  catalogOperations,
  buildEnumCatalog,
  propertyFields,
  Resource,
  ResourceEvent,
  resourceEventFacts,
  resourceFlags,
  type FilterableResource,
  type ResourceDto,
  type ResourceEventDto,
  type SearchFieldDataByGroupDto,
} from '@signetry/contract';
import { propertyField } from '../../kernel/filter/field.ts';
import { presentSearchFields, type FieldUse } from '../../kernel/filter/present-fields.ts';
import { routes } from '../../platform/http/routes.ts';
import type { Area, RuleFields } from '../../platform/platform.ts';

export interface CatalogsOptions {
  /** Fields from areas that offer values. The list is complete only after all areas have been created. */
  readonly ruleFields: () => RuleFields;
}

export function createCatalogsArea({ ruleFields }: CatalogsOptions): Area {
  const enums = buildEnumCatalog();
  const resources = Resource.options.filter((resource) => resource !== 'NONE').map(describe);
  return {
    routes: routes(catalogOperations, {
      getPlatformEnums: () => enums,
      listResources: () => resources,
      listAllResourceEvents: () =>
        Object.fromEntries(ResourceEvent.options.map((event) => [event, [presentEvent(event)]])),
      listResourceEvents: ({ params }) => eventsOf(params.resource).map(presentEvent),
      listResourceRuleFilterFields: ({ params: { resource }, query: { settable = false }, context }) =>
        ruleFields()[resource]?.(context, { settable }) ?? catalogFields(resource, settable ? 'settable' : 'rules'),
    }),
  };
}

/** A resource has events if at least one event is raised for it; rules can evaluate the same resources. */
function describe(resource: Resource): ResourceDto {
  const raisesEvents = Object.values(resourceEventFacts).some((event) => event.resource === resource);
  return { resource, ...resourceFlags(resource), hasEvents: raisesEvents, hasRuleEvaluator: raisesEvents };
}

/**
 * Returns the events that triggers on a resource can be associated with: its own events, and those of other resources
 * that it can override.
 */
const eventsOf = (resource: Resource): ResourceEvent[] =>
  ResourceEvent.options.filter((event) => {
    const facts = resourceEventFacts[event];
    return facts.resource === resource || facts.overridingResources.includes(resource);
  });

const presentEvent = (event: ResourceEvent): ResourceEventDto => ({
  event,
  producedResource: resourceEventFacts[event].resource,
});

/** Returns a resource's property fields. Predefined values come from enumerations. */
function catalogFields(resource: Resource, use: FieldUse): SearchFieldDataByGroupDto[] {
  if (!isFilterable(resource)) return [];
  const identifiers = Object.keys(propertyFields[resource]) as never[]; // Keys of this resource.
  return presentSearchFields(resource, {
    fields: identifiers.map((identifier) => propertyField(resource, identifier)),
    use,
  });
}

const isFilterable = (resource: Resource): resource is FilterableResource => Object.hasOwn(propertyFields, resource);
