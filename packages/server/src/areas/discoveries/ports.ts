// Port from discoveries to a higher area, connected in app/areas.ts.
import type { TriggerDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Triggers that are evaluated for a discovery's results, before the platform-wide triggers. */
export interface DiscoveryTriggers {
  /**
   * Throws 404 for triggers that do not exist or are not visible to the caller, and 422 for triggers for a different
   * resource.
   */
  assertUsable(triggerUuids: readonly string[], context: RequestContext): Promise<void>;
  /** Runs in the transaction that creates the discovery; the triggers' actions run with the caller's permissions. */
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

/** Throws if triggers are used before their area has been connected. */
export function createTriggersPort() {
  let connected: DiscoveryTriggers | undefined;
  const triggers = (): DiscoveryTriggers => {
    if (!connected) throw new Error('The triggers port was used before it was connected.');
    return connected;
  };
  return { triggers, connect: (port: DiscoveryTriggers): void => void (connected = port) };
}
