// Dependencies of this area, and ports for higher areas.
import type { Executor } from '../../platform/database/database.ts';
import type { IdentityArea } from '../identity/index.ts';

/** Identity area functions that notifications require. */
export type Users = Pick<
  IdentityArea,
  'findUsernames' | 'findActiveUsers' | 'findRoleNames' | 'findPeople' | 'findRoleAddresses'
>;

/** Objects of a higher area that use notification profiles and prevent their deletion. */
export interface NotificationProfileUse {
  /** Display name, e.g. "execution". */
  readonly what: string;
  /** Returns the names of the objects that use the profile. */
  find(executor: Executor, profileUuid: string): Promise<readonly string[]>;
}
