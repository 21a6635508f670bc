// What the inventory needs from other areas. The composition root hands them in.
import type { PermissionSet } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Powers } from '../identity/index.ts';
import type { Oids } from '../oids/index.ts';

/** The names of object identifiers, with the codes by which distinguished names are written and read. */
export type NameSource = Oids['names'];

/** Of the area of identity. */
export interface Users {
  findUser(
    executor: Executor,
    by: { readonly uuid: string },
  ): Promise<{ readonly uuid: string; readonly username: string } | undefined>;
  /** What the roles of a user allow now. */
  permissionsOf(executor: Executor, userUuid: string): Promise<PermissionSet>;
  /** Users that sign in with one of these certificates. */
  findUsersOfCertificates(
    executor: Executor,
    certificateUuids: readonly string[],
  ): Promise<readonly { readonly username: string; readonly certificateUuid: string }[]>;
  /** What being an owner gives. */
  registerPowers(powers: Powers): void;
  /** Certificates that users sign in with have changed, e.g. one was found to be revoked. */
  forgetCertificates(): void;
}
