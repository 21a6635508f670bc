// The catalogues of the interface: enumerations and resources. Both come whole from the contract.
// Owns: no table.
import {
  catalogueOperations,
  enumCatalogue,
  Resource,
  resourceEventFacts,
  resourceFlags,
  type ResourceDto,
} from '@signetry/contract';
import { routes } from '../../platform/http/routes.ts';
import type { Area } from '../../platform/platform.ts';

export function createCataloguesArea(): Area {
  const enums = enumCatalogue();
  const resources = Resource.options.filter((resource) => resource !== 'NONE').map(describe);
  return {
    routes: routes(catalogueOperations, {
      getPlatformEnums: () => enums,
      listResources: () => resources,
    }),
  };
}

/** A resource has events when some event is raised by it; the same resources can be looked at by rules. */
function describe(resource: Resource): ResourceDto {
  const raisesEvents = Object.values(resourceEventFacts).some((event) => event.resource === resource);
  return { resource, ...resourceFlags(resource), hasEvents: raisesEvents, hasRuleEvaluator: raisesEvents };
}
