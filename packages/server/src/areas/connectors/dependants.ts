// Who needs a connector. Higher areas say so here; a connector that is needed is not removed unless by force.
import type { Executor } from '../../platform/database/database.ts';

export interface ConnectorDependants {
  /** Plural name of the objects, as it begins the line of a refusal, e.g. `Authorities`. */
  readonly what: string;
  /** Names of the objects that need the connector. */
  names(executor: Executor, connectorUuid: string): Promise<readonly string[]>;
  /** Takes the reference away; the objects keep the name of the connector. */
  detach(tx: Executor, connectorUuid: string): Promise<void>;
}

export function createDependants() {
  const registered: ConnectorDependants[] = [];
  return {
    register: (dependants: ConnectorDependants): void => void registered.push(dependants),
    /** One line for each kind of object that needs the connector. */
    describe: async (executor: Executor, connectorUuid: string): Promise<string[]> => {
      const lines: string[] = [];
      for (const { what, names } of registered) {
        const found = await names(executor, connectorUuid);
        if (found.length > 0) lines.push(`Dependent ${what} (${found.length}): ${found.join(', ')}`);
      }
      return lines;
    },
    detach: async (tx: Executor, connectorUuid: string): Promise<void> => {
      for (const dependants of registered) await dependants.detach(tx, connectorUuid);
    },
  };
}

export type Dependants = ReturnType<typeof createDependants>;
