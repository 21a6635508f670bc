// The user's permissions. Actions that they do not cover are not offered.
import { useQuery } from '@tanstack/react-query';
import { ownPermissionsQuery } from '../api/session.ts';
import { allowsAll, type Needs } from './rights.ts';

/**
 * Returns a function that checks permissions. If the permissions cannot be loaded, all actions are offered, and the
 * platform rejects unauthorized ones.
 */
export function useMay(): (needs: Needs) => boolean {
  const { data, isPending } = useQuery(ownPermissionsQuery);
  return (needs) => (data === undefined ? !isPending : allowsAll(data, needs));
}

/** Whether the user's permissions are still loading. They are usually loaded before the first page is rendered. */
export const useIsMayPending = (): boolean => useQuery(ownPermissionsQuery).isPending;
