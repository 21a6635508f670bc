// What the pages of authorities ask the platform for.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { definitionsOf } from '../../ui/attributes/definitions.ts';

export const authorityListQuery = queryOptions({
  queryKey: ['authorities', 'list'],
  queryFn: ({ signal }) => api.authorities.listAuthorityInstances({}, { signal }),
});

export const authorityQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['authorities', 'one', uuid],
    queryFn: ({ signal }) => api.authorities.getAuthorityInstance({ params: { uuid } }, { signal }),
  });

/** What an authority lets RA profiles say. */
export const profileDefinitionsQuery = (authorityUuid: string) =>
  queryOptions({
    queryKey: ['authorities', 'profileDefinitions', authorityUuid],
    queryFn: async ({ signal }) =>
      definitionsOf(await api.authorities.listRAProfileAttributes({ params: { uuid: authorityUuid } }, { signal })),
    staleTime: 60_000,
  });
