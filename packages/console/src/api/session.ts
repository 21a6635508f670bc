// Who is signed in and what they may do.
import type { Resource, UserProfileDetailDto } from '@signetry/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import { PROFILE_KEY } from './query-client.ts';

export const profileQuery = queryOptions({
  queryKey: PROFILE_KEY,
  queryFn: ({ signal }): Promise<UserProfileDetailDto> => api.auth.getUserProfile({}, { signal }),
  staleTime: 60_000,
});

/** Asked for beside the profile, so that it is there when the first page is drawn. */
export const ownPermissionsQuery = queryOptions({
  queryKey: [...PROFILE_KEY, 'permissions'],
  queryFn: ({ signal }) => api.ownPermissions.getOwnPermissions({}, { signal }),
  staleTime: 60_000,
  retry: false,
});

export const useProfile = (): UserProfileDetailDto => useSuspenseQuery(profileQuery).data;

/** Whether the user may list the objects of a resource; what they may not list is hidden. */
export function useMayList(): (resource: Resource) => boolean {
  const { permissions } = useProfile();
  return (resource) => permissions.allowedListings.includes(resource);
}

/** Ends the session, and goes on to the identity provider that opened it, if one did, to end it there too. */
export async function signOut(): Promise<void> {
  const answer = await fetch('/logout', { method: 'POST', headers: { accept: 'application/json' } });
  const next = answer.ok ? ((await answer.json()) as { readonly location: string }).location : '/'; // as it is answered
  location.assign(next);
}

const CHANNEL = 'signetry-session';

/** Tells the other tabs that this browser is signed in. */
export function tellSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, its own
  channel.postMessage('signed-in');
  channel.close();
}

/** Calls back when another tab is signed in; the answer ends that. */
export function onSignIn(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
