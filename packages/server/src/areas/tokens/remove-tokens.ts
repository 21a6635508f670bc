// Removing tokens. The connector removes first, then the platform forgets; in between the token is marked, so that
// nothing can come to depend on what is about to go. Its keys stay known, without a token.
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callFailureOf, type DependantRegistry } from '../connectors/index.ts';
import type { TokenService } from './service.ts';
import { tokens } from './store.ts';
import type { TokenRow } from './tables.ts';
import type { TokenAccess } from './token-access.ts';

export interface TokenRemovalParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly access: TokenAccess;
  /** What prevents the removal of a token. */
  readonly dependants: DependantRegistry;
  readonly service: Pick<TokenService, 'removeAtConnector'>;
}

export type TokenRemoval = ReturnType<typeof createTokenRemoval>;

export function createTokenRemoval(platform: Platform, parts: TokenRemovalParts) {
  const { database, clock } = platform;
  const { audit, attributes, access, dependants, service } = parts;

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const row = await begin(uuid);
    try {
      await service.removeAtConnector(row, context);
    } catch (error) {
      await tokens.update(database.executor, uuid, { removing: false });
      throw refusalOf(row, error);
    }
    await finish(row, context);
  }

  /** Marks the token unless something needs it. A removal that was interrupted begins anew. */
  const begin = (uuid: string): Promise<TokenRow> =>
    database.transaction(async (tx) => {
      const row = await tokens.lock(tx, uuid);
      const lines = await dependants.describe(tx, uuid);
      if (lines.length > 0) throw rejected(...lines.map((line) => `The token ${row.name} is in use. ${line}`));
      await tokens.update(tx, uuid, { removing: true, updated_at: clock.now() });
      return row;
    });

  async function finish(row: TokenRow, context: RequestContext): Promise<void> {
    const { uuid } = row;
    await database.transaction(async (tx) => {
      // Somebody else may have been faster; the token is gone either way.
      if ((await tokens.lockMany(tx, [uuid])).length === 0) return;
      await attributes.removeObjects(tx, 'tokens', [uuid]);
      await tokens.removeMany(tx, [uuid]);
      await audit.append(tx, context, { objects: [row] });
    });
    access.invalidate(uuid);
  }

  /** Each for itself; those that stay are named in one refusal. Unknown tokens are skipped. */
  async function removeMany(uuids: readonly string[], context: RequestContext): Promise<void> {
    const problems: string[] = [];
    for (const { uuid, name } of await tokens.findMany(database.executor, uuids)) {
      try {
        await remove(uuid, context);
      } catch (error) {
        if (!isAppError(error)) throw error;
        problems.push(error.message.includes(name) ? error.message : `Token ${name}: ${error.message}`);
      }
    }
    if (problems.length > 0) throw rejected(...problems);
  }

  return { remove, removeMany };
}

/** The connector did not remove it: the removal is refused, whatever the reason. */
function refusalOf(row: TokenRow, error: unknown): unknown {
  if (!callFailureOf(error) || !isAppError(error)) return error;
  return rejected(`Token ${row.name} was not removed: ${error.message}`);
}
