// What discoveries need of a higher area, connected in app/areas.ts.
import type { TriggerDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Triggers that are asked about what a discovery finds, before those of the platform. */
export interface DiscoveryTriggers {
  /** Refuses triggers that are not there, or that the caller does not see (404), and those for something else (422). */
  assertUsable(triggerUuids: readonly string[], context: RequestContext): Promise<void>;
  /** Within the transaction that makes the discovery; the actions have the rights of the caller. */
  associate(
    tx: Executor,
    discovery: { readonly uuid: string; readonly triggerUuids: readonly string[] },
    context: RequestContext,
  ): Promise<void>;
  list(discoveryUuid: string): Promise<TriggerDto[]>;
  /**
   * Those of the certificates that are not to be in the inventory. They are there within the transaction; what is
   * written of them names the record of what was found.
   */
  findIgnored(
    tx: Executor,
    asked: {
      readonly discoveryUuid: string;
      readonly found: readonly { readonly uuid: string; readonly recordUuid: string | null }[];
    },
  ): Promise<ReadonlySet<string>>;
}

/** Nothing can be associated before the area of triggers is there. */
export function createTriggersPort() {
  let connected: DiscoveryTriggers | undefined;
  const triggers = (): DiscoveryTriggers => {
    if (!connected) throw new Error('Triggers were used before they were connected.');
    return connected;
  };
  return { triggers, connect: (port: DiscoveryTriggers): void => void (connected = port) };
}
