// References to RA profiles. Higher areas register here: most of them drop their references when a profile is removed,
// while some prevent its removal.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface RaProfileDependants {
  /**
   * Returns the reasons why a profile cannot be removed, one per line, e.g. the protocol profiles that issue under it
   * by default.
   */
  reasonsToKeep?(executor: Executor, raProfileUuid: string): Promise<readonly string[]>;
  /** Removes references to the profiles, in the transaction that removes them. */
  onRaProfilesRemoved?(tx: Executor, raProfileUuids: readonly string[], context: RequestContext): Promise<void>;
}
