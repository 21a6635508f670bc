// Events of the inventory; subscribers get them as jobs after the commit.
import type { CertificateRow } from './tables.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_status_changed: {
      certificateUuid: string;
      from: CertificateRow['validation_status'];
      to: CertificateRow['validation_status'];
    };
  }
}

export {};
