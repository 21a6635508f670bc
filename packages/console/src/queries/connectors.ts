// Queries for the connector pages.
import type { AuthType, FunctionGroupCode, HealthDto } from '@signetry/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';
import type { Callback } from '../ui/attributes/use-callbacks.ts';

export const connectorListQuery = queryOptions({
  queryKey: ['connectors', 'list'],
  queryFn: ({ signal }) => api.connectors.listConnectors({}, { signal }),
});

/** The platform calls the connector for each request, so the response is current. */
export const connectorQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['connectors', 'one', uuid],
    queryFn: ({ signal }) => api.connectors.getConnector({ params: { uuid } }, { signal }),
  });

export const healthQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['connectors', 'health', uuid],
    queryFn: async ({ signal }) =>
      // Types of recursive schemas are not inferred, hence the cast.
      (await api.connectors.checkConnectorHealth({ params: { uuid } }, { signal })) as HealthDto,
    retry: false,
  });

export interface ConnectorKind {
  readonly connectorUuid: string;
  readonly functionGroup: FunctionGroupCode;
  readonly kind: string;
}

/** The attributes for a new object of the given kind; not fetched until a kind is selected. */
export const kindDefinitionsQuery = (of: ConnectorKind | undefined) =>
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

/** Returns a function that calls the callbacks of a kind's attributes. */
export const kindCallback =
  ({ connectorUuid: uuid, functionGroup, kind }: ConnectorKind): Callback =>
  (body, signal) =>
    api.callbacks.connectorCallback({ params: { uuid, functionGroup, kind }, body }, { signal });

const authDefinitions = {
  none: async () => [],
  basic: api.connectors.getBasicAuthAttributes,
  certificate: api.connectors.getCertificateAuthAttributes,
  apiKey: api.connectors.getApiKeyAuthAttributes,
  jwt: api.connectors.getJWTAuthAttributes,
} as const;

/** The attributes for an authentication type. */
export const authDefinitionsQuery = (authType: AuthType) =>
  queryOptions({
    queryKey: ['connectors', 'authDefinitions', authType],
    queryFn: async ({ signal }) => definitionsOf(await authDefinitions[authType]({}, { signal })),
    staleTime: Infinity,
  });
