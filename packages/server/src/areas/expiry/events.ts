// Events of this area.
declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** Raised when a certificate without a successor reaches an expiry threshold. */
    certificate_expiring: CertificateExpiring;
  }
}

/** Message format of the API; times are in ISO 8601 and UTC, and unknown values are omitted. */
export interface CertificateExpiring {
  readonly certificateUuid: string;
  readonly fingerprint: string;
  readonly serialNumber: string;
  readonly subjectDn: string;
  readonly issuerDn: string;
  readonly authorityInstanceUuid?: string;
  readonly raProfileUuid?: string;
  readonly raProfileName?: string;
  readonly notBefore: string;
  readonly expiresAt: string;
  /** Threshold in days before expiry. */
  readonly thresholdDays: number;
}
