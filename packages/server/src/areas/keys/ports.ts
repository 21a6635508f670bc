// Functions of the identity area that this area requires.
import type { PermissionSet } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Privileges } from '../identity/index.ts';

export interface Users {
  findUser(
    executor: Executor,
    by: { readonly uuid: string },
  ): Promise<{ readonly uuid: string; readonly username: string } | undefined>;
  /** Returns the permissions that a user's roles currently grant. */
  permissionsOf(executor: Executor, userUuid: string): Promise<PermissionSet>;
  /** Registers the permissions that ownership grants. */
  registerPowers(powers: Privileges): void;
}
