// What identity needs from an area above it: the certificates that users sign in with. The inventory implements this.
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
