// Connector operations.
import {
  AuthType,
  connectorCallOperations,
  connectorManagementOperations,
  type RequestAttributeDto,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import { acceptAuthSettings, definitionsFor } from './authentication.ts';
import type { ConnectorAttributes } from './connector-attributes.ts';
import type { ConnectorService } from './service.ts';
import type { ConnectorTokens } from './tokens.ts';

export interface ConnectorRouteParts {
  readonly service: ConnectorService;
  readonly attributes: ConnectorAttributes;
  readonly tokens: ConnectorTokens;
}

export const connectorRoutes = ({ service, attributes, tokens }: ConnectorRouteParts): readonly Route[] => {
  const authDefinitions = (authType: AuthType) => () => [...definitionsFor(authType)];
  const validateAuth =
    (authType: AuthType) =>
    async ({ body }: { body: RequestAttributeDto[] }): Promise<undefined> => {
      await acceptAuthSettings(authType, body);
    };

  const management = routes(connectorManagementOperations, {
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
    approveConnector: ({ params, context }) => service.approve(params.uuid, context),
    bulkApproveConnector: ({ body, context }) => service.approveMany(body, context),
    registerConnector: async ({ body, context }) => ({ uuid: await service.register(body, context) }),
    checkConnectorHealth: ({ params, context }) => attributes.health(params.uuid, context),
    getConnectorAttributesAll: ({ params, context }) => attributes.definitionsOfAllKinds(params.uuid, context),
    getConnectorAttributes: ({ params, context }) => attributes.definitionsOfKind(params, context),
    validateConnectorAttributes: ({ params, body, context }) => attributes.validate(params, body, context),
    getAuthenticationTypes: () => [...AuthType.options],
    getBasicAuthAttributes: authDefinitions('basic'),
    validateBasicAuthAttributes: validateAuth('basic'),
    getCertificateAuthAttributes: authDefinitions('certificate'),
    validateCertificateAuthAttributes: validateAuth('certificate'),
    getApiKeyAuthAttributes: authDefinitions('apiKey'),
    validateApiKeyAuthAttributes: validateAuth('apiKey'),
    getJWTAuthAttributes: authDefinitions('jwt'),
    validateJWTAuthAttributes: validateAuth('jwt'),
  });
  const calls = routes(connectorCallOperations, {
    getConnectorTokenKeys: () => tokens.published(),
    rotateConnectorTokenKey: ({ context }) => tokens.rotate(context),
    getConnectorCircuit: ({ params }) => service.circuit(params.uuid),
  });
  return [...management, ...calls];
};
