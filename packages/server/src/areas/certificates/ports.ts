// The inventory's dependencies on other areas, which the composition root provides.
import type { PermissionSet, RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Privileges } from '../identity/index.ts';
import type { Oids } from '../oids/index.ts';
import type { PropertyFieldIdentifier } from '@signetry/contract';
import type { SqlReading } from '../../platform/database/filter/reading.ts';

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

/**
 * Search field for certificate data that belongs to protocols and locations. The areas that own this data are in higher
 * tiers and register their fields.
 */
export interface RegisteredField {
  readonly field: PropertyFieldIdentifier<'certificates'>;
  /** Expression that reads the name from the certificate, whose alias in queries is `c`. */
  readonly reading: SqlReading;
  /** Returns the names that the caller can list, in order, for the search form. */
  list(executor: Executor, context: RequestContext): Promise<readonly string[]>;
}
