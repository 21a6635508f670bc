// Discovery events and their data.
import type { DiscoveryStatus } from '@signetry/contract';
import type { Events } from '../../platform/events/outbox.ts';

interface DiscoveryFacts {
  readonly discoveryUuid: string;
  readonly discoveryName: string;
  readonly discoveryUserUuid: string | null;
  readonly discoveryConnectorUuid: string | null;
  readonly discoveryConnectorName: string;
}

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** Raised for each new certificate. Times are in ISO 8601. */
    certificate_discovered: DiscoveryFacts & {
      readonly certificateUuid: string;
      /** Identifies the certificate in the discovery's results. */
      readonly discoveryCertificateUuid: string;
      readonly fingerprint: string;
      readonly serialNumber: string;
      readonly subjectDn: string;
      readonly issuerDn: string;
      readonly notBefore: string;
      readonly expiresAt: string;
    };
    /** Raised when a discovery has finished, with any status. */
    discovery_finished: DiscoveryFacts & {
      readonly discoveryStatus: DiscoveryStatus;
      readonly totalCertificateDiscovered: number;
      readonly discoveryMessage: string | null;
    };
  }
}

export const factsOfDiscovery = (row: {
  readonly uuid: string;
  readonly name: string;
  readonly started_by_uuid: string | null;
  readonly connector_uuid: string | null;
  readonly connector_name: string;
}): DiscoveryFacts => ({
  discoveryUuid: row.uuid,
  discoveryName: row.name,
  discoveryUserUuid: row.started_by_uuid,
  discoveryConnectorUuid: row.connector_uuid,
  discoveryConnectorName: row.connector_name,
});

export function publishDiscoveryEvents(events: Events): void {
  events.publish('certificate_discovered', {
    resource: 'certificates',
    objectOf: ({ certificateUuid }) => certificateUuid,
  });
  events.publish('discovery_finished', { resource: 'discoveries', objectOf: ({ discoveryUuid }) => discoveryUuid });
}
