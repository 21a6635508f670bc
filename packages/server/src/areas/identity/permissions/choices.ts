// Choices of a permission editor: resources with their actions, and objects.
import type { AuthResourceDto, NameAndUuidDto, Resource } from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { presentCatalog } from './catalog.ts';
import type { PermissionObjects } from './objects.ts';

export type PermissionChoices = ReturnType<typeof createPermissionChoices>;

export const createPermissionChoices = (executor: Executor, known: PermissionObjects) => ({
  resources: (): AuthResourceDto[] => presentCatalog(known.has),

  /** Returns the objects of a resource that the caller can list. */
  async objects(name: Resource, { actor }: RequestContext): Promise<NameAndUuidDto[]> {
    if (!known.has(name)) throw new AppError('not_supported', { what: `Listing objects of ${name}` });
    const filter = visibleObjects(actor.permissions, name, 'list');
    return (await known.find(executor, name)).filter(({ uuid }) => isVisible(filter, uuid));
  },
});
