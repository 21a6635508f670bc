// Removing authorities. The connector removes first, then the platform forgets; in between the authority is marked, so
// that nothing can come to depend on what is about to go.
import type { BulkActionMessageDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { removeEach } from '../../platform/objects/remove-each.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callFailureOf, type DependantRegistry } from '../connectors/index.ts';
import type { AuthorityAccess } from './authority-access.ts';
import type { AuthorityService } from './service.ts';
import { authorities } from './store.ts';
import type { AuthorityRow } from './tables.ts';

export interface RemovalParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly access: AuthorityAccess;
  readonly dependants: DependantRegistry;
  readonly service: Pick<AuthorityService, 'removeAtConnector'>;
}

interface RemovalOptions {
  readonly context: RequestContext;
  /** Detaches RA profiles from the authority and does not need the connector to succeed. */
  readonly force: boolean;
}

export type AuthorityRemoval = ReturnType<typeof createAuthorityRemoval>;

export function createAuthorityRemoval(platform: Platform, parts: RemovalParts) {
  const { database, clock, log } = platform;
  const { audit, attributes, access, dependants, service } = parts;

  async function remove(uuid: string, options: RemovalOptions): Promise<void> {
    const row = await begin(uuid, options);
    try {
      await service.removeAtConnector(row, options.context);
    } catch (error) {
      if (!options.force) {
        await authorities.update(database.executor, uuid, { status: 'connected' });
        throw refusalOf(row, error);
      }
      log.warn(
        { error, authority: row.name },
        'an authority was removed by force and may still exist at its connector',
      );
    }
    await finish(row, options);
  }

  /** Marks the authority unless something needs it. A removal that was interrupted begins anew. */
  const begin = (uuid: string, { force }: RemovalOptions): Promise<AuthorityRow> =>
    database.transaction(async (tx) => {
      const row = await authorities.lock(tx, uuid);
      if (!force) await refuseWhileNeeded(tx, uuid);
      await authorities.update(tx, uuid, { status: 'removing', updated_at: clock.now() });
      return row;
    });

  async function refuseWhileNeeded(tx: Executor, uuid: string): Promise<void> {
    const lines = await dependants.describe(tx, uuid);
    if (lines.length > 0) throw rejected(...lines);
  }

  async function finish(row: AuthorityRow, { context, force }: RemovalOptions): Promise<void> {
    const { uuid } = row;
    await database.transaction(async (tx) => {
      // Somebody else may have been faster; the authority is gone either way.
      if ((await authorities.lockMany(tx, [uuid])).length === 0) return;
      await dependants.onRemoved(tx, uuid, context);
      if (force) await dependants.detach(tx, uuid);
      await attributes.removeObjects(tx, 'authorities', [uuid]);
      await authorities.removeMany(tx, [uuid]);
      await audit.append(tx, context, { objects: [row] });
    });
    access.invalidate(uuid);
  }

  const removeMany = (uuids: readonly string[], options: RemovalOptions): Promise<BulkActionMessageDto[]> =>
    removeEach(
      uuids,
      (uuid) => authorities.findOne(database.executor, uuid),
      (uuid) => remove(uuid, options),
    );

  return { remove, removeMany };
}

/** The connector did not remove it: the removal is refused, whatever the reason. */
function refusalOf(row: AuthorityRow, error: unknown): unknown {
  const failure = callFailureOf(error);
  if (!failure || !isAppError(error)) return error;
  return rejected(
    `Authority ${row.name} was not removed: ${error.message} Remove it by force to leave the connector out.`,
  );
}
