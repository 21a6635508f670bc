// What this area needs of identity.
import type { PermissionSet } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Powers } from '../identity/index.ts';

export interface Users {
  findUser(
    executor: Executor,
    by: { readonly uuid: string },
  ): Promise<{ readonly uuid: string; readonly username: string } | undefined>;
  /** What the roles of a user allow now. */
  permissionsOf(executor: Executor, userUuid: string): Promise<PermissionSet>;
  /** What being an owner gives. */
  registerPowers(powers: Powers): void;
}
