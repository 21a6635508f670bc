// Who refers to RA profiles. Higher areas register themselves: most let go of a profile that is removed, some keep it.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface RaProfileDependants {
  /** Why a profile must stay, one line for each reason, e.g. the protocol profiles that issue with it by default. */
  reasonsToKeep?(executor: Executor, raProfileUuid: string): Promise<readonly string[]>;
  /** Lets go of the profiles, in the transaction that removes them. */
  onRaProfilesRemoved?(tx: Executor, raProfileUuids: readonly string[], context: RequestContext): Promise<void>;
}
