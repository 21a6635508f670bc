// What identity needs from areas above it: the certificates that users sign in with, from the inventory, and what
// accounts have besides their permissions.
import type { CertificateState } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';

/** A certificate of the inventory, as far as signing in depends on it. */
export interface UserCertificate {
  readonly uuid: string;
  /** Lower-case hex SHA-256 of the DER form. */
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
 * Answers come from the database each time: what is remembered is remembered here, for as long as a change may take.
 */
export interface UserCertificates {
  findByFingerprint(executor: Executor, fingerprint: string): Promise<UserCertificate | undefined>;
  findByUuid(executor: Executor, uuid: string): Promise<UserCertificate | undefined>;
  /** Adds a certificate that the inventory does not hold yet, with the caller's transaction. */
  upload(
    executor: Executor,
    upload: { readonly der: Uint8Array; readonly context: RequestContext },
  ): Promise<UserCertificate>;
}

/** Whose powers are asked for: those of a user, or of anybody who is given these roles and groups. */
export interface PowersOf {
  readonly userUuid?: string;
  readonly roleUuids: readonly string[];
  readonly groupUuids: readonly string[];
}

/** What accounts have besides permissions in an area above, such as a say in approvals or objects that they own. */
export interface Powers {
  /** Refuses unless the caller could do the same. */
  assertHeld(tx: Executor, of: PowersOf, context: RequestContext): Promise<void>;
}
