// Who needs an object. Higher areas say so in a registry of the lower area; an object that is needed is not removed
// unless by force.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface Dependants {
  /** Plural name of the objects, as it begins the line of a refusal, e.g. `Authorities`. */
  readonly what: string;
  /** Names of the objects that need the one with this identifier. */
  names(executor: Executor, uuid: string): Promise<readonly string[]>;
  /** Takes the reference away. */
  detach(tx: Executor, uuid: string): Promise<void>;
  /** Removes what exists for the object alone, in the transaction that removes it. */
  onRemoved?(tx: Executor, uuid: string, context: RequestContext): Promise<void>;
}

export interface DependantRegistry {
  register(dependants: Dependants): void;
  /** One line for each kind of object that needs it; none when it may go. */
  describe(executor: Executor, uuid: string): Promise<string[]>;
  detach(tx: Executor, uuid: string): Promise<void>;
  onRemoved(tx: Executor, uuid: string, context: RequestContext): Promise<void>;
}

export function createDependantRegistry(): DependantRegistry {
  const registered: Dependants[] = [];
  return {
    register: (dependants) => void registered.push(dependants),
    async describe(executor, uuid) {
      const lines: string[] = [];
      for (const { what, names } of registered) {
        const found = await names(executor, uuid);
        if (found.length > 0) lines.push(`Dependent ${what} (${found.length}): ${found.join(', ')}`);
      }
      return lines;
    },
    async detach(tx, uuid) {
      for (const dependants of registered) await dependants.detach(tx, uuid);
    },
    async onRemoved(tx, uuid, context) {
      for (const dependants of registered) await dependants.onRemoved?.(tx, uuid, context);
    },
  };
}
