// The location in the address, which is below its entity.
import { useParams } from '@tanstack/react-router';
import type { LocationPlace } from '../../kit/paths.ts';
import type { Right } from '../../kit/rights.ts';

export function useLocationPlace(): LocationPlace {
  const { entityUuid, uuid } = useParams({ strict: false });
  if (entityUuid === undefined || uuid === undefined) throw new Error('The address of this page names no location.');
  return { entityUuid, locationUuid: uuid };
}

/** What the platform asks for: the action on the location, and to see its entity. */
export const mayAt = (
  { entityUuid, locationUuid }: LocationPlace,
  action: 'update' | 'delete' | 'enable',
): readonly Right[] => [
  ['locations', action, locationUuid],
  ['entities', 'detail', entityUuid],
];
