// Removes tokens. Their keys remain in the inventory, without a token.
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import { removeInstance, type DependentRegistry } from '../connectors/index.ts';
import type { TokenService } from './service.ts';
import { tokens } from './store.ts';
import type { TokenAccess } from './token-access.ts';

export interface TokenRemovalParts {
  readonly access: TokenAccess;
  /** Objects that prevent a token from being removed. */
  readonly dependants: DependentRegistry;
  readonly service: Pick<TokenService, 'instances'>;
}

export type TokenRemoval = ReturnType<typeof createTokenRemoval>;

export function createTokenRemoval({ access, dependants, service: { instances } }: TokenRemovalParts) {
  async function remove(uuid: string, context: RequestContext): Promise<void> {
    await removeInstance(instances, uuid, {
      context,
      steps: {
        async assertUnused(tx, { name }) {
          const lines = await dependants.describe(tx, uuid);
          if (lines.length > 0) throw rejected(...lines.map((line) => `Token ${name} is in use. ${line}`));
        },
      },
    });
    access.invalidate(uuid);
  }

  /** Removes each token separately. A single error lists all tokens that could not be removed. Skips unknown tokens. */
  async function removeMany(uuids: readonly string[], context: RequestContext): Promise<void> {
    const problems: string[] = [];
    for (const { uuid, name } of await tokens.findMany(instances.platform.database.executor, uuids)) {
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
