// The signed-in user and their permissions.
import type { Resource, UserProfileDetailDto } from '@signetry/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import { PROFILE_KEY } from './query-client.ts';

export const profileQuery = queryOptions({
  queryKey: PROFILE_KEY,
  queryFn: ({ signal }): Promise<UserProfileDetailDto> => api.auth.getUserProfile({}, { signal }),
  staleTime: 60_000,
});

/** Requested together with the profile, so that it is available for the first render. */
export const ownPermissionsQuery = queryOptions({
  queryKey: [...PROFILE_KEY, 'permissions'],
  queryFn: ({ signal }) => api.ownPermissions.getOwnPermissions({}, { signal }),
  staleTime: 60_000,
  retry: false,
});

export const useProfile = (): UserProfileDetailDto => useSuspenseQuery(profileQuery).data;

/** Returns whether the user can list the objects of a resource; resources that they cannot list are hidden. */
export function useMayList(): (resource: Resource) => boolean {
  const { permissions } = useProfile();
  return (resource) => permissions.allowedListings.includes(resource);
}

/** Ends the session. If an identity provider opened it, redirects there to end its session as well. */
export async function signOut(): Promise<void> {
  const answer = await fetch('/logout', { method: 'POST', headers: { accept: 'application/json' } });
  // Shape of the response.
  const next = answer.ok ? ((await answer.json()) as { readonly location: string }).location : '/';
  location.assign(next);
}

const CHANNEL = 'signetry-session';

/** Notifies the other tabs that this browser is signed in. */
export function tellSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, its own
  channel.postMessage('signed-in');
  channel.close();
}

/** Calls the listener when another tab signs in. Returns a function that removes the listener. */
export function onSignIn(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
