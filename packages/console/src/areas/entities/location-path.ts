// The location in the URL, which is nested below its entity.
import { useParams } from '@tanstack/react-router';
import type { LocationPath } from '../../kit/paths.ts';
import type { Right } from '../../kit/rights.ts';

export function useLocationPath(): LocationPath {
  const { entityUuid, uuid } = useParams({ strict: false });
  if (entityUuid === undefined || uuid === undefined) throw new Error('The URL does not identify a location.');
  return { entityUuid, locationUuid: uuid };
}

/** Permissions that the platform requires: the action on the location, and `detail` on its entity. */
export const requiredLocationRights = (
  { entityUuid, locationUuid }: LocationPath,
  action: 'update' | 'delete' | 'enable',
): readonly Right[] => [
  ['locations', action, locationUuid],
  ['entities', 'detail', entityUuid],
];
