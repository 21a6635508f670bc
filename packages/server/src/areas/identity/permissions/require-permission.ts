// For use cases that require more than the access facts of their operation, such as issuing under an RA profile.
import type { Action, Resource } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { meets, type Requirement } from './authorize.ts';

/** Rejects the request unless the caller has the permission, on the specified objects or on the resource as a whole. */
export function requirePermission(
  context: RequestContext,
  asked: {
    readonly resource: Resource;
    readonly action: Action;
    readonly objects?: readonly string[];
    /** Purpose of the permission, for the error message. */
    readonly name?: string;
  },
): void {
  const requirement: Requirement = { resource: asked.resource, action: asked.action, objects: asked.objects ?? [] };
  if (!meets(context.actor.permissions, requirement)) {
    const { resource, action, name } = asked;
    throw new AppError('access_denied', { resource, action, ...(name === undefined ? {} : { name }) });
  }
}
