// What this area needs from outside, and what areas above connect here.
import type { Executor } from '../../platform/database/database.ts';
import type { IdentityArea } from '../identity/index.ts';

/** What notifications need of the area of identity. */
export type Users = Pick<
  IdentityArea,
  'findUsernames' | 'findActiveUsers' | 'findRoleNames' | 'findPeople' | 'findRoleAddresses'
>;

/** Objects of a higher area that use notification profiles, which are not deleted meanwhile. */
export interface NotificationProfileUse {
  /** In words, e.g. "execution". */
  readonly what: string;
  /** Names of those that use the profile. */
  find(executor: Executor, profileUuid: string): Promise<readonly string[]>;
}
