// Queries for the token and token profile pages.
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';

export const tokenListQuery = queryOptions({
  queryKey: ['tokens', 'list'],
  queryFn: ({ signal }) => api.tokens.listTokenInstances({}, { signal }),
});

/** The platform requests the status from the provider, so the response is current. */
export const tokenQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['tokens', 'one', uuid],
    queryFn: ({ signal }) => api.tokens.getTokenInstance({ params: { uuid } }, { signal }),
  });

/** Attributes required to activate the token. */
export const activationDefinitionsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['tokens', 'activationDefinitions', uuid],
    queryFn: async ({ signal }) =>
      definitionsOf(await api.tokens.listTokenInstanceActivationAttributes({ params: { uuid } }, { signal })),
    staleTime: 60_000,
  });

export const tokenProfileListQuery = queryOptions({
  queryKey: ['tokenProfiles', 'list'],
  queryFn: ({ signal }) => api.tokenProfiles.listTokenProfiles({}, { signal }),
});

export interface TokenProfilePath {
  readonly tokenUuid: string;
  readonly uuid: string;
}

export const tokenProfileQuery = ({ tokenUuid, uuid }: TokenProfilePath) =>
  queryOptions({
    queryKey: ['tokenProfiles', 'one', uuid],
    queryFn: ({ signal }) =>
      api.tokenProfiles.getTokenProfile({ params: { tokenInstanceUuid: tokenUuid, uuid } }, { signal }),
  });

/** The attributes that a token defines for its profiles; not fetched until a token is selected. */
export const tokenProfileDefinitionsQuery = (tokenUuid: string | undefined) =>
  queryOptions({
    queryKey: ['tokens', 'profileDefinitions', tokenUuid],
    queryFn:
      tokenUuid === undefined
        ? skipToken
        : async ({ signal }) =>
            definitionsOf(await api.tokens.listTokenProfileAttributes({ params: { uuid: tokenUuid } }, { signal })),
    staleTime: 60_000,
  });
