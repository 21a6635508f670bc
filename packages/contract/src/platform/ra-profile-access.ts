// Permission required by operations on an RA profile under the path of its authority.
import type { Permission } from '../operation.ts';
import type { Action } from './resource-actions.ts';

/** Permission for the action on the RA profile, and permission to see its authority. */
export const raProfilePermission = (action: Action): Permission => ({
  resource: 'raProfiles',
  action,
  object: 'raProfileUuid',
  parent: { resource: 'authorities', action: 'detail', object: 'authorityUuid' },
});
