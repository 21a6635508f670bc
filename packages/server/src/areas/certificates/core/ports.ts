// What the inventory needs from other areas. The composition root hands them in.
import type { Executor } from '../../../platform/database/database.ts';
import type { Oids } from '../../oids/index.ts';

/** The names of object identifiers, with the codes by which distinguished names are written and read. */
export type NameSource = Oids['names'];

/** Of the area of identity. */
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
