// Events of locations, with their data.
import type { Events } from '../../platform/events/outbox.ts';

/** An endpoint did not show the certificate that was put into its location. */
export interface NotServed {
  readonly certificateUuid: string;
  readonly locationUuid: string;
  readonly locationName: string;
  /** `host:port`. */
  readonly endpoint: string;
  readonly problem: string;
  /** The certificate from before that is put back; null where there is none that could be. */
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
