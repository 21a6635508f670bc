// Events of certificates; subscribers get them as jobs after the commit.
import type { CertificateRow } from './tables.ts';

/** A validation came to another result than the last one. */
export interface StatusChange {
  readonly certificateUuid: string;
  readonly from: CertificateRow['validation_status'];
  readonly to: CertificateRow['validation_status'];
}

declare module '../../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_issued: { certificateUuid: string; raProfileUuid: string };
    certificate_status_changed: StatusChange;
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
