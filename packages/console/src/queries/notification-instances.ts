// Queries for notification instances, which the console calls notification providers.
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { ConnectorKind } from './connectors.ts';

export const notificationInstanceListQuery = queryOptions({
  queryKey: ['notificationInstances', 'list'],
  queryFn: ({ signal }) => api.notificationInstances.listNotificationInstances({}, { signal }),
});

export const notificationInstanceQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['notificationInstances', 'one', uuid],
    queryFn: ({ signal }) => api.notificationInstances.getNotificationInstance({ params: { uuid } }, { signal }),
  });

/** Recipient attributes that a kind requires; not fetched until a kind is selected. */
export const mappingAttributesQuery = (of: ConnectorKind | undefined) =>
  queryOptions({
    queryKey: ['connectors', 'mappings', of?.connectorUuid, of?.kind],
    queryFn: of
      ? ({ signal }) => {
          const params = { connectorUuid: of.connectorUuid, kind: of.kind };
          return api.notificationInstances.listMappingAttributes({ params }, { signal });
        }
      : skipToken,
    staleTime: 60_000,
    retry: false,
  });
