// The permission that operations on an RA profile under the path of its authority ask for.
import type { Permission } from '../operation.ts';
import type { Action } from './resource-actions.ts';

/** The action on the RA profile, and sight of its authority. */
export const raProfileOfAuthority = (action: Action): Permission => ({
  resource: 'raProfiles',
  action,
  object: 'raProfileUuid',
  parent: { resource: 'authorities', action: 'detail', object: 'authorityUuid' },
});
