// Events of certificates. What happened is in the payload; the rest of their data is read when they are published.
import type { CertificateChangeKind } from '@signetry/contract';
import type { CertificateRow } from '../tables.ts';

/** A validation came to another result than the last one, or the certificate was revoked. */
export interface StatusChange {
  readonly certificateUuid: string;
  readonly from: CertificateRow['validation_status'];
  readonly to: CertificateRow['validation_status'];
  /** Who had it revoked or released; null for the platform itself, absent where nobody asked for the change. */
  readonly requesterUuid?: string | null;
}

/** What was asked for was done, or came to nothing for good. */
export interface ActionPerformed {
  readonly certificateUuid: string;
  readonly action: 'issue' | 'renew' | 'rekey' | 'revoke';
  /** Who asked for it; null for the platform itself and clients of protocols. */
  readonly requesterUuid: string | null;
  /** Why it came to nothing. */
  readonly problem?: string;
}

/** A change of many certificates that nobody waited for. */
export interface ChangeEnded {
  readonly changeUuid: string;
  readonly kind: CertificateChangeKind;
  /** Who asked for it; null for the platform itself. */
  readonly userUuid: string | null;
  readonly changed: number;
  readonly refused: number;
}

declare module '../../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_status_changed: StatusChange;
    certificate_action_performed: ActionPerformed;
    certificate_change_ended: ChangeEnded;
    /** A CA certificate became part of valid paths, or ceased to be. */
    authority_standing_changed: { certificateUuid: string };
    certificate_revoked: {
      certificateUuid: string;
      raProfileUuid: string | null;
      issuerCertificateUuid: string | null;
    };
    /** The certificate was revoked, and whoever had it revoked wants its key destroyed. */
    certificate_key_unwanted: { certificateUuid: string; requestedBy: string };
  }
}
