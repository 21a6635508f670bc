// Port of discoveries to a higher area, connected in app/areas.ts.
import type { TriggerDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Triggers evaluated for the results of a discovery, before the platform-wide triggers. */
export interface DiscoveryTriggers {
  /**
   * Rejects triggers that do not exist or are not visible to the caller (404), and triggers for a different resource
   * (422).
   */
  assertUsable(triggerUuids: readonly string[], context: RequestContext): Promise<void>;
  /** Runs in the transaction that creates the discovery; the actions run with the caller's permissions. */
  associate(
    tx: Executor,
    discovery: { readonly uuid: string; readonly triggerUuids: readonly string[] },
    context: RequestContext,
  ): Promise<void>;
  list(discoveryUuid: string): Promise<TriggerDto[]>;
  /**
   * Returns the certificates to exclude from the inventory. They exist only within the transaction; records about them
   * reference the discovery's result instead.
   */
  findIgnored(
    tx: Executor,
    asked: {
      readonly discoveryUuid: string;
      readonly found: readonly { readonly uuid: string; readonly recordUuid: string | null }[];
    },
  ): Promise<ReadonlySet<string>>;
}

/** Triggers cannot be associated before their area is connected. */
export function createTriggersPort() {
  let connected: DiscoveryTriggers | undefined;
  const triggers = (): DiscoveryTriggers => {
    if (!connected) throw new Error('The triggers port was used before it was connected.');
    return connected;
  };
  return { triggers, connect: (port: DiscoveryTriggers): void => void (connected = port) };
}
