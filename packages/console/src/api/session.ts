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

/** The permissions are requested together with the profile, so that they are available for the first render. */
export const ownPermissionsQuery = queryOptions({
  queryKey: [...PROFILE_KEY, 'permissions'],
  queryFn: ({ signal }) => api.ownPermissions.getOwnPermissions({}, { signal }),
  staleTime: 60_000,
  retry: false,
});

export const useProfile = (): UserProfileDetailDto => useSuspenseQuery(profileQuery).data;

/**
 * Returns a function that checks whether the user can list a resource's objects. Resources that the user cannot list
 * are hidden.
 */
export function useMayList(): (resource: Resource) => boolean {
  const { permissions } = useProfile();
  return (resource) => permissions.allowedListings.includes(resource);
}

/**
 * Ends the session. If the session was opened through an identity provider, redirects there to end the provider's
 * session as well.
 */
export async function signOut(): Promise<void> {
  const answer = await fetch('/logout', { method: 'POST', headers: { accept: 'application/json' } });
  // The platform returns responses of this shape.
  const next = answer.ok ? ((await answer.json()) as { readonly location: string }).location : '/';
  location.assign(next);
}

const CHANNEL = 'signetry-session';

/** Notifies the browser's other tabs that the user has signed in. */
export function notifySignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, its own
  channel.postMessage('signed-in');
  channel.close();
}

/** Calls the listener when the user signs in on a different tab. Returns a function that removes the listener. */
export function onSignIn(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
