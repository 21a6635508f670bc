// Removal of authorities. Dependent areas are checked before the removal and notified after it.
import type { BulkActionMessageDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { removeEach } from '../../platform/objects/remove-each.ts';
import { removeInstance, type DependentRegistry } from '../connectors/index.ts';
import type { AuthorityAccess } from './authority-access.ts';
import type { AuthorityService } from './service.ts';
import { authorities } from './store.ts';

export interface RemovalParts {
  readonly access: AuthorityAccess;
  readonly dependants: DependentRegistry;
  readonly service: Pick<AuthorityService, 'instances'>;
}

interface RemovalOptions {
  readonly context: RequestContext;
  /** Detaches RA profiles from the authority, and ignores connector failures. */
  readonly force: boolean;
}

export type AuthorityRemoval = ReturnType<typeof createAuthorityRemoval>;

export function createAuthorityRemoval({ access, dependants, service: { instances } }: RemovalParts) {
  async function remove(uuid: string, { context, force }: RemovalOptions): Promise<void> {
    await removeInstance(instances, uuid, {
      context,
      steps: {
        force,
        help: 'Remove it by force to skip the connector.',
        async assertUnused(tx) {
          const lines = force ? [] : await dependants.describe(tx, uuid);
          if (lines.length > 0) throw rejected(...lines);
        },
        async forget(tx) {
          await dependants.onRemoved(tx, uuid, context);
          if (force) await dependants.detach(tx, uuid);
        },
      },
    });
    access.invalidate(uuid);
  }

  const removeMany = (uuids: readonly string[], options: RemovalOptions): Promise<BulkActionMessageDto[]> =>
    removeEach(
      uuids,
      (uuid) => authorities.findOne(instances.platform.database.executor, uuid),
      (uuid) => remove(uuid, options),
    );

  return { remove, removeMany };
}
