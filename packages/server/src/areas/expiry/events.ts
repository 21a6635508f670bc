// What this area tells others.
declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** A certificate has reached a threshold before its end, and nothing has taken its place. */
    certificate_expiring: CertificateExpiring;
  }
}

/** As messages of the interface have it; times are ISO 8601 in UTC, and what is not known is left out. */
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
  /** The threshold, in days before the end. */
  readonly thresholdDays: number;
}
