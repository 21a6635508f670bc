// The permission check of use cases whose right does not follow from the operation alone.
import type { Action, Resource } from '@signetry/contract';
import { isAllowed, type Actor } from './actor.ts';
import { AppError } from './errors.ts';

/** Refuses unless the actor may perform the action on the resource. */
export function assertAllowed(actor: Actor, resource: Resource, action: Action): void {
  if (!isAllowed(actor.permissions, resource, action)) throw new AppError('access_denied', { resource, action });
}
