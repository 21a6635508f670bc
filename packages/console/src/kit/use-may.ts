// What the user may do: other actions are not offered.
import { useQuery } from '@tanstack/react-query';
import { ownPermissionsQuery } from '../api/session.ts';
import { allowsAll, type Needs } from './rights.ts';

/** Whether the user may do something. Until the platform has answered everything is offered. */
export function useMay(): (needs: Needs) => boolean {
  const { data } = useQuery(ownPermissionsQuery);
  return (needs) => data === undefined || allowsAll(data, needs);
}
