// Connector operations of the interface.
import { AuthType, connectorManagementOperations, type RequestAttributeDto } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import { acceptAuthSettings, definitionsFor } from './authentication.ts';
import type { ConnectorAttributes } from './connector-attributes.ts';
import type { ConnectorService } from './service.ts';

export interface ConnectorRouteParts {
  readonly service: ConnectorService;
  readonly attributes: ConnectorAttributes;
  readonly monotonicMs: () => number;
}

export const connectorRoutes = ({ service, attributes, monotonicMs }: ConnectorRouteParts): readonly Route[] => {
  const authDefinitions = (authType: AuthType) => () => [...definitionsFor(authType)];
  const validateAuth =
    (authType: AuthType) =>
    ({ body }: { body: RequestAttributeDto[] }): undefined =>
      void acceptAuthSettings(authType, body, monotonicMs);

  return routes(connectorManagementOperations, {
    listConnectors: ({ query }) => service.list(query),
    createConnector: async ({ body, context }) => ({ uuid: await service.create(body, context) }),
    getConnector: ({ params, context }) => service.detail(params.uuid, context),
    editConnector: ({ params, body, context }) => service.edit(params.uuid, body, context),
    deleteConnector: ({ params, context }) => service.remove(params.uuid, context),
    bulkDeleteConnector: ({ body, context }) => service.removeMany(body, { context, force: false }),
    forceDeleteConnector: ({ body, context }) => service.removeMany(body, { context, force: true }),
    connectConnector: ({ body, context }) => service.connect(body, context),
    reconnectConnector: ({ params, context }) => service.reconnect(params.uuid, context),
    bulkReconnectConnector: ({ body, context }) => service.reconnectMany(body, context),
    checkConnectorHealth: ({ params, context }) => attributes.health(params.uuid, context),
    getConnectorAttributesAll: ({ params, context }) => attributes.ofAllKinds(params.uuid, context),
    getConnectorAttributes: ({ params, context }) => attributes.ofKind(params, context),
    validateConnectorAttributes: ({ params, body, context }) => attributes.validate(params, body, context),
    getAuthenticationTypes: () => [...AuthType.options],
    getBasicAuthAttributes: authDefinitions('basic'),
    validateBasicAuthAttributes: validateAuth('basic'),
    getCertificateAuthAttributes: authDefinitions('certificate'),
    validateCertificateAuthAttributes: validateAuth('certificate'),
    getApiKeyAuthAttributes: authDefinitions('apiKey'),
    validateApiKeyAuthAttributes: validateAuth('apiKey'),
    // There is nothing to fill in for what is not supported; validating refuses it.
    getJWTAuthAttributes: () => [],
    validateJWTAuthAttributes: validateAuth('jwt'),
  });
};
