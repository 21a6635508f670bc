// Dependents of an object. Higher areas register their dependents with the lower area. An object that has dependents
// can be removed only by force.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface Dependents {
  /** Plural name of the objects, used in error messages, e.g. `Authorities`. */
  readonly what: string;
  /** Returns the names of the objects that depend on the object with this identifier. */
  names(executor: Executor, uuid: string): Promise<readonly string[]>;
  /** Removes the reference. */
  detach(tx: Executor, uuid: string): Promise<void>;
  /** Removes data that exists only for the object, in the same transaction as the object itself. */
  onRemoved?(tx: Executor, uuid: string, context: RequestContext): Promise<void>;
}

export interface DependentRegistry {
  register(dependants: Dependents): void;
  /** Returns one line for each kind of dependent object; empty if the object can be removed. */
  describe(executor: Executor, uuid: string): Promise<string[]>;
  detach(tx: Executor, uuid: string): Promise<void>;
  onRemoved(tx: Executor, uuid: string, context: RequestContext): Promise<void>;
}

export function createDependentRegistry(): DependentRegistry {
  const registered: Dependents[] = [];
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
