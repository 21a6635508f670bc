// Compliance events and their data.
import type { Events } from '../../platform/events/outbox.ts';
import { describeCertificates } from '../certificates/index.ts';
import { presentResult } from './present.ts';
import { findResults } from './store-results.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /**
     * Raised when a check finds that the certificate is not compliant, or that it violates different rules than before.
     */
    certificate_not_compliant: { certificateUuid: string };
    /** Raised when rules start to apply to a certificate. */
    certificate_compliance_due: { certificateUuid: string };
  }
}

export function publishComplianceEvents(events: Events): void {
  events.publish('certificate_not_compliant', {
    resource: 'certificates',
    objectOf: ({ certificateUuid }) => certificateUuid,
    describe: (executor, payloads) =>
      describeCertificates(
        executor,
        payloads.map(({ certificateUuid }) => certificateUuid),
      ),
    complete: async (executor, data) => {
      const [row] = await findResults(executor, 'certificates', [String(data['certificateUuid'])]);
      return { ...data, complianceCheckResultDto: presentResult(row) };
    },
  });
}
