// For use cases that ask for more than the access facts of their operation say, such as issuing under an RA profile.
import type { Action, Resource } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { meets, type Requirement } from './authorize.ts';

/** Refuses unless the caller holds the permission, for the objects named or for the resource as a whole. */
export function requirePermission(
  context: RequestContext,
  asked: {
    readonly resource: Resource;
    readonly action: Action;
    readonly objects?: readonly string[];
    /** What for, in the words of the refusal. */
    readonly name?: string;
  },
): void {
  const requirement: Requirement = { resource: asked.resource, action: asked.action, objects: asked.objects ?? [] };
  if (!meets(context.actor.permissions, requirement)) {
    const { resource, action, name } = asked;
    throw new AppError('access_denied', { resource, action, ...(name === undefined ? {} : { name }) });
  }
}
