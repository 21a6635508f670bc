// What the user may do: other actions are not offered.
import { useQuery } from '@tanstack/react-query';
import { ownPermissionsQuery } from '../api/session.ts';
import { allowsAll, type Needs } from './rights.ts';

/** Whether the user may do something. Where the platform could not tell, everything is offered, and it refuses. */
export function useMay(): (needs: Needs) => boolean {
  const { data, isPending } = useQuery(ownPermissionsQuery);
  return (needs) => (data === undefined ? !isPending : allowsAll(data, needs));
}

/** Whether the platform is still to tell what the user may do. Mostly it has told before the first page is drawn. */
export const useIsMayPending = (): boolean => useQuery(ownPermissionsQuery).isPending;
