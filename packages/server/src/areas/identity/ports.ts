// Dependencies of identity on areas in higher tiers: the certificates that users sign in with, from the inventory, and
// the powers that accounts have in addition to their permissions.
import type { CertificateState } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Certificate in the inventory, reduced to the facts that sign-in depends on. */
export interface UserCertificate {
  readonly uuid: string;
  /** SHA-256 of the DER encoding, in lowercase hex. */
  readonly fingerprint: string;
  readonly state: CertificateState;
  readonly archived: boolean;
  readonly revoked: boolean;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly subjectDn: string;
  readonly raProfileUuid: string | null;
}

/**
 * Certificate lookups, which query the database each time. The identity area caches the results, for as long as a
 * change may take to become visible.
 */
export interface UserCertificates {
  findByFingerprint(executor: Executor, fingerprint: string): Promise<UserCertificate | undefined>;
  findByUuid(executor: Executor, uuid: string): Promise<UserCertificate | undefined>;
  /** Adds a certificate that is not in the inventory yet, in the caller's transaction. */
  upload(
    executor: Executor,
    upload: { readonly der: Uint8Array; readonly context: RequestContext },
  ): Promise<UserCertificate>;
}

/** Whose powers are checked: those of a specific user, or of any user with these roles and groups. */
export interface PrivilegeHolder {
  readonly userUuid?: string;
  readonly roleUuids: readonly string[];
  readonly groupUuids: readonly string[];
}

/**
 * Powers that an area in a higher tier gives to accounts in addition to their permissions, such as deciding approvals
 * or owning objects.
 */
export interface Privileges {
  /** Rejects the request unless the caller also has these powers. */
  assertHeld(tx: Executor, of: PrivilegeHolder, context: RequestContext): Promise<void>;
}
