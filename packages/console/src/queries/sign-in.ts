// Queries for sign-in methods: access tokens, passkeys, invitations, external identities and sessions.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const ownTokensQuery = queryOptions({
  queryKey: ['tokens', 'own'],
  queryFn: ({ signal }) => api.accessTokens.listAccessTokens({}, { signal }),
});

export const tokensOfUserQuery = (userUuid: string) =>
  queryOptions({
    queryKey: ['tokens', 'of', userUuid],
    queryFn: ({ signal }) => api.accessTokens.listAccessTokensOfUser({ params: { userUuid } }, { signal }),
  });

export const ownPasskeysQuery = queryOptions({
  queryKey: ['passkeys', 'own'],
  queryFn: ({ signal }) => api.passkeys.listPasskeys({}, { signal }),
});

export const passkeysOfUserQuery = (userUuid: string) =>
  queryOptions({
    queryKey: ['passkeys', 'of', userUuid],
    queryFn: ({ signal }) => api.passkeys.listPasskeysOfUser({ params: { userUuid } }, { signal }),
  });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.sessions.listSessions({}, { signal }),
});

export const invitationsQuery = (userUuid: string) =>
  queryOptions({
    queryKey: ['invitations', userUuid],
    queryFn: ({ signal }) => api.invitations.listInvitations({ params: { userUuid } }, { signal }),
  });

export const externalIdentitiesQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['users', 'external', uuid],
    queryFn: ({ signal }) => api.externalIdentities.listExternalIdentities({ params: { userUuid: uuid } }, { signal }),
  });
