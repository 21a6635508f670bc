// Certificate events. The payload contains what happened; the remaining data is read at publication.
import type { CertificateChangeKind } from '@signetry/contract';
import type { CertificateRow } from '../tables.ts';

/** A validation had a different result than the last one, or the certificate was revoked. */
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
  /** Requester; null for the platform itself and protocol clients. */
  readonly requesterUuid: string | null;
  /** Reason for the failure. */
  readonly problem?: string;
}

/** A bulk change that no caller waited for. */
export interface ChangeEnded {
  readonly changeUuid: string;
  readonly kind: CertificateChangeKind;
  /** User who requested it; null for the platform itself. */
  readonly userUuid: string | null;
  readonly changed: number;
  readonly refused: number;
}

declare module '../../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_status_changed: StatusChange;
    certificate_action_performed: ActionPerformed;
    certificate_change_ended: ChangeEnded;
    /** A CA certificate became, or is no longer, part of valid paths. */
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
