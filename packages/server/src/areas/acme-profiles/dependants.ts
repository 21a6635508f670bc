// Who keeps something below ACME profiles that goes with them. The protocol server stands above this area and registers here.
import type { Executor } from '../../platform/database/database.ts';

export interface AcmeProfileDependants {
  /** Lets go of the profiles, in the transaction that removes them and before their rows go. */
  onAcmeProfilesRemoved(tx: Executor, acmeProfileUuids: readonly string[]): Promise<void>;
}
