// Location events and their data.
import type { Events } from '../../platform/events/outbox.ts';

/** An endpoint did not serve the certificate that was installed in its location. */
export interface NotServed {
  readonly certificateUuid: string;
  readonly locationUuid: string;
  readonly locationName: string;
  /** `host:port`. */
  readonly endpoint: string;
  readonly problem: string;
  /** The previous certificate, which is being restored; null if there is none or it cannot be restored. */
  readonly restoredCertificateUuid: string | null;
}

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_not_served: NotServed;
  }
}

export function publishLocationEvents(events: Events): void {
  events.publish('certificate_not_served', {
    resource: 'certificates',
    objectOf: ({ certificateUuid }) => certificateUuid,
  });
}
