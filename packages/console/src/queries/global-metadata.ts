// Queries for global metadata.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const globalMetadataListQuery = queryOptions({
  queryKey: ['globalMetadata', 'list'],
  queryFn: ({ signal }) => api.globalMetadata.listGlobalMetadata({}, { signal }),
});

export const globalMetadataQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['globalMetadata', 'one', uuid],
    queryFn: ({ signal }) => api.globalMetadata.getGlobalMetadata({ params: { uuid } }, { signal }),
  });

/** Connector metadata that can be made global. */
export const connectorMetadataQuery = queryOptions({
  queryKey: ['globalMetadata', 'ofConnectors'],
  queryFn: ({ signal }) => api.globalMetadata.getConnectorMetadata({}, { signal }),
});
