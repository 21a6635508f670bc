// API operations on custom attributes and global metadata.
import type { Resource } from '@signetry/contract';
import { customAttributeOperations, customAttributeUseOperations, globalMetadataOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import { customizableResources } from './custom/custom-definition.ts';
import type { CustomAttributeService } from './custom/service.ts';
import type { ValueOperations } from './custom/set-value.ts';
import type { GlobalMetadataService } from './global-metadata.ts';

export interface Services {
  readonly custom: CustomAttributeService;
  readonly values: ValueOperations;
  readonly metadata: GlobalMetadataService;
}

export const attributeRoutes = (services: Services): readonly Route[] => [
  ...customAttributeRoutes(services),
  ...globalMetadataRoutes(services.metadata),
];

const customAttributeRoutes = ({ custom, values }: Services): readonly Route[] => [
  ...routes(customAttributeOperations, {
    listCustomAttributes: ({ query }) => custom.list(query.attributeContentType),
    createCustomAttribute: async ({ body, context }) => ({ uuid: await custom.create(body, context) }),
    getCustomAttribute: ({ params }) => custom.detail(params.uuid),
    editCustomAttribute: ({ params, body, context }) => custom.update(params.uuid, body, context),
    deleteCustomAttribute: ({ params, context }) => custom.remove(params.uuid, context),
    enableCustomAttribute: ({ params, context }) => custom.setEnabled(params.uuid, true, context),
    disableCustomAttribute: ({ params, context }) => custom.setEnabled(params.uuid, false, context),
    bulkDeleteCustomAttributes: async ({ body, context }) => {
      await custom.removeMany(body, context);
    },
    bulkEnableCustomAttributes: async ({ body, context }) => {
      await custom.setEnabledMany(body, true, context);
    },
    bulkDisableCustomAttributes: async ({ body, context }) => {
      await custom.setEnabledMany(body, false, context);
    },
    updateResources: ({ params, body, context }) => custom.setResources(params.uuid, body, context),
    getResources: () => [...customizableResources],
    getResourceCustomAttributes: ({ params, context }) => custom.forResource(params.resource, context),
    updateAttributeContentForResource: ({ params, body, context }) => values.set(valueOf(params), body, context),
    deleteAttributeContentForResource: ({ params, context }) => values.set(valueOf(params), [], context),
  }),
  ...routes(customAttributeUseOperations, {
    getCustomAttributeUse: ({ params }) => custom.use(params.uuid),
  }),
];

const globalMetadataRoutes = (metadata: GlobalMetadataService): readonly Route[] =>
  routes(globalMetadataOperations, {
    listGlobalMetadata: () => metadata.list(),
    createGlobalMetadata: async ({ body, context }) => ({ uuid: await metadata.create(body, context) }),
    getGlobalMetadata: ({ params }) => metadata.detail(params.uuid),
    editGlobalMetadata: ({ params, body, context }) => metadata.update(params.uuid, body, context),
    deleteGlobalMetadata: ({ params, context }) => metadata.remove(params.uuid, context),
    bulkDeleteGlobalMetadata: async ({ body, context }) => {
      await metadata.removeMany(body, context);
    },
    getConnectorMetadata: ({ query }) => metadata.candidates(query.connectorUuid),
    promoteConnectorMetadata: ({ body, context }) => metadata.promote(body, context),
  });

const valueOf = (params: {
  readonly resourceName: Resource;
  readonly objectUuid: string;
  readonly attributeUuid: string;
}) => ({
  ...params,
  attribute: { uuid: params.attributeUuid },
});
