// Removing an entity. The connector removes first, then the platform forgets; in between the entity is marked, so that
// no location can come to depend on what is about to go.
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callFailureOf } from '../connectors/index.ts';
import type { EntityService } from './entity-service.ts';
import { entities, locations } from './store.ts';
import type { EntityRow } from './tables.ts';

export interface EntityRemovalParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly service: Pick<EntityService, 'removeAtConnector'>;
}

export function createEntityRemoval({ database, clock }: Platform, { audit, attributes, service }: EntityRemovalParts) {
  const locationsOf = locations.referringBy('entity_uuid');

  /** Marks the entity unless it has locations. A removal that was interrupted begins anew. */
  const begin = (uuid: string): Promise<EntityRow> =>
    database.transaction(async (tx) => {
      const row = await entities.lock(tx, uuid);
      const names = await locationsOf.names(tx, uuid);
      if (names.length > 0)
        throw rejected(`Entity instance ${row.name} has ${names.length} dependent Locations`, ...names);
      await entities.update(tx, uuid, { removing: true, updated_at: clock.now() });
      return row;
    });

  return async function remove(uuid: string, context: RequestContext): Promise<void> {
    const row = await begin(uuid);
    try {
      await service.removeAtConnector(row, context);
    } catch (error) {
      await entities.update(database.executor, uuid, { removing: false });
      throw refusalOf(row, error);
    }
    await database.transaction(async (tx) => {
      // Somebody else may have been faster; the entity is gone either way.
      if ((await entities.lockMany(tx, [uuid])).length === 0) return;
      await attributes.removeObjects(tx, 'entities', [uuid]);
      await entities.removeMany(tx, [uuid]);
      await audit.append(tx, context, { objects: [row] });
    });
  };
}

/** The connector did not remove it: the removal is refused, whatever the reason. */
function refusalOf(row: EntityRow, error: unknown): unknown {
  if (!callFailureOf(error) || !isAppError(error)) return error;
  return rejected(`Entity ${row.name} was not removed: ${error.message}`);
}
