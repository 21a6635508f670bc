// Queries for the authority pages.
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';

export const authorityListQuery = queryOptions({
  queryKey: ['authorities', 'list'],
  queryFn: ({ signal }) => api.authorities.listAuthorityInstances({}, { signal }),
});

export const authorityQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['authorities', 'one', uuid],
    queryFn: ({ signal }) => api.authorities.getAuthorityInstance({ params: { uuid } }, { signal }),
  });

/** The attributes that an authority defines for RA profiles; not fetched until an authority is selected. */
export const profileDefinitionsQuery = (authorityUuid: string | undefined) =>
  queryOptions({
    queryKey: ['authorities', 'profileDefinitions', authorityUuid],
    queryFn:
      authorityUuid === undefined
        ? skipToken
        : async ({ signal }) =>
            definitionsOf(
              await api.authorities.listRAProfileAttributes({ params: { uuid: authorityUuid } }, { signal }),
            ),
    staleTime: 60_000,
  });

/**
 * An authority's chain, starting with its own certificate. It is fetched through one of the authority's RA profiles.
 */
export const caCertificatesQuery = (params: { readonly authorityUuid: string; readonly raProfileUuid: string }) =>
  queryOptions({
    queryKey: ['authorities', 'certificates', params.authorityUuid, params.raProfileUuid],
    queryFn: ({ signal }) => api.raProfiles.getAuthorityCertificateChain({ params }, { signal }),
  });
