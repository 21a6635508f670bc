// The inventory's dependencies on other areas, which the composition root provides.
import type { PermissionSet } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Privileges } from '../identity/index.ts';
import type { Oids } from '../oids/index.ts';

/** Names of object identifiers, with the codes used to write and read distinguished names. */
export type NameSource = Oids['names'];

/** Functions of the identity area. */
export interface Users {
  findUser(
    executor: Executor,
    by: { readonly uuid: string },
  ): Promise<{ readonly uuid: string; readonly username: string } | undefined>;
  /** Returns the current permissions granted by a user's roles. */
  permissionsOf(executor: Executor, userUuid: string): Promise<PermissionSet>;
  /** Returns the users that sign in with one of these certificates. */
  findUsersOfCertificates(
    executor: Executor,
    certificateUuids: readonly string[],
  ): Promise<readonly { readonly username: string; readonly certificateUuid: string }[]>;
  /** Registers the permissions granted by ownership. */
  registerPowers(powers: Privileges): void;
  /** Must be called when certificates that users sign in with have changed, e.g. because one was revoked. */
  forgetCertificates(): void;
}
