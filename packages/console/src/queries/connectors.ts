// What the pages of connectors ask the platform for.
import type { AuthType, FunctionGroupCode, HealthDto } from '@signetry/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';

export const connectorListQuery = queryOptions({
  queryKey: ['connectors', 'list'],
  queryFn: ({ signal }) => api.connectors.listConnectors({}, { signal }),
});

/** The platform calls the connector for this: it shows what the connector says now. */
export const connectorQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['connectors', 'one', uuid],
    queryFn: ({ signal }) => api.connectors.getConnector({ params: { uuid } }, { signal }),
  });

export const healthQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['connectors', 'health', uuid],
    queryFn: async ({ signal }) =>
      // A shape that holds itself loses its type on the way.
      (await api.connectors.checkConnectorHealth({ params: { uuid } }, { signal })) as HealthDto,
    retry: false,
  });

export interface KindOfConnector {
  readonly connectorUuid: string;
  readonly functionGroup: FunctionGroupCode;
  readonly kind: string;
}

/** What a new object of a kind is asked for; nothing is asked while there is no kind. */
export const kindDefinitionsQuery = (of: KindOfConnector | undefined) =>
  queryOptions({
    queryKey: ['connectors', 'definitions', of?.connectorUuid, of?.functionGroup, of?.kind],
    queryFn: of
      ? async ({ signal }) => {
          const params = { uuid: of.connectorUuid, functionGroup: of.functionGroup, kind: of.kind };
          return definitionsOf(await api.connectors.getConnectorAttributes({ params }, { signal }));
        }
      : skipToken,
    staleTime: 60_000,
  });

const authDefinitions = {
  none: async () => [],
  basic: api.connectors.getBasicAuthAttributes,
  certificate: api.connectors.getCertificateAuthAttributes,
  apiKey: api.connectors.getApiKeyAuthAttributes,
  jwt: api.connectors.getJWTAuthAttributes,
} as const;

/** What a way of authenticating is asked for. */
export const authDefinitionsQuery = (authType: AuthType) =>
  queryOptions({
    queryKey: ['connectors', 'authDefinitions', authType],
    queryFn: async ({ signal }) => definitionsOf(await authDefinitions[authType]({}, { signal })),
    staleTime: Infinity,
  });
