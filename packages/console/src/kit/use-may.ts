// What the user may do: other actions are not offered.
import { useQuery } from '@tanstack/react-query';
import { ownPermissionsQuery } from '../api/session.ts';
import { allows, type Right } from './rights.ts';

/** Whether the user may do something. Until the platform has answered everything is offered. */
export function useMay(): (right: Right) => boolean {
  const { data } = useQuery(ownPermissionsQuery);
  return (right) => data === undefined || allows(data, right);
}
