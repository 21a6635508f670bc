// Certificate events. The payload states what happened; the remaining data is read when the event is published.
import type { CertificateChangeKind } from '@signetry/contract';
import type { CertificateRow } from '../tables.ts';

/** A validation result differs from the previous one, or the certificate was revoked. */
export interface StatusChange {
  readonly certificateUuid: string;
  readonly from: CertificateRow['validation_status'];
  readonly to: CertificateRow['validation_status'];
  /**
   * User who requested the revocation or release; null for the platform itself, absent if no one requested the change.
   */
  readonly requesterUuid?: string | null;
}

/** A requested action was performed or failed permanently. */
export interface ActionPerformed {
  readonly certificateUuid: string;
  readonly action: 'issue' | 'renew' | 'rekey' | 'revoke';
  /** User who requested the action; null for the platform itself and protocol clients. */
  readonly requesterUuid: string | null;
  /** Reason for the failure, if the action failed. */
  readonly problem?: string;
}

/** A bulk change that no caller waited for has ended. */
export interface ChangeEnded {
  readonly changeUuid: string;
  readonly kind: CertificateChangeKind;
  /** User who requested the change; null for the platform itself. */
  readonly userUuid: string | null;
  readonly changed: number;
  readonly refused: number;
}

declare module '../../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_status_changed: StatusChange;
    certificate_action_performed: ActionPerformed;
    certificate_change_ended: ChangeEnded;
    /** A CA certificate has become part of valid paths, or is no longer part of them. */
    authority_standing_changed: { certificateUuid: string };
    certificate_revoked: {
      certificateUuid: string;
      raProfileUuid: string | null;
      issuerCertificateUuid: string | null;
    };
    /** The certificate was revoked, and the requester wants its key destroyed. */
    certificate_key_unwanted: { certificateUuid: string; requestedBy: string };
  }
}
