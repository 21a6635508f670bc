// Events of compliance; subscribers get them as jobs after the commit.
import type { CheckedCertificate } from '../certificates/index.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** A check found that the certificate does not comply; the result is read from the certificate. */
    certificate_not_compliant: { certificateUuid: string; raProfileUuid: CheckedCertificate['raProfileUuid'] };
    /** Rules have come to apply to a certificate. */
    certificate_compliance_due: { certificateUuid: string };
  }
}
