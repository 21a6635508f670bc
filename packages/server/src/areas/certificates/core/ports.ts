// What the inventory needs from the area of identity. The area itself has these members and is handed in by the
// composition root, because it stands beside this one.
import type { Executor } from '../../../platform/database/database.ts';

export interface Users {
  findUser(
    executor: Executor,
    by: { readonly uuid: string },
  ): Promise<{ readonly uuid: string; readonly username: string } | undefined>;
  /** Users that sign in with one of these certificates. */
  findUsersOfCertificates(
    executor: Executor,
    certificateUuids: readonly string[],
  ): Promise<readonly { readonly username: string; readonly certificateUuid: string }[]>;
  /** Certificates that users sign in with have changed, e.g. one was found to be revoked. */
  forgetCertificates(): void;
}
