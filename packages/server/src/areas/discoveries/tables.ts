// Row types for this area's tables (migration 0064-discoveries).
import type { DiscoveryStatus } from '@signetry/contract';

export type DiscoveryTables = {
  discovery: {
    uuid: string;
    name: string;
    kind: string;
    connector_uuid: string | null;
    connector_name: string;
    /** Digest of the connector and the request; repeated discoveries have the same digest. */
    asked_for: string;
    /** The provider's identifier for the discovery; null until the provider has responded. */
    provider_uuid: string | null;
    status: DiscoveryStatus;
    connector_status: DiscoveryStatus;
    /** Why the discovery ended as it did. */
    message: string | null;
    /** Reason why the discovery will end with a warning, regardless of the remaining results. */
    warning: string | null;
    started_at: Date;
    started_by_uuid: string | null;
    started_by: string;
    ended_at: Date | null;
    stopped_by: string | null;
    /** Number of certificates reported by the provider, so far or in total. */
    announced: number;
    page_size: number;
    /** Number of pages; null until the provider has finished. */
    pages: number | null;
    /** Number of pages imported, starting with the first. */
    pages_read: number;
    results_read: number;
    found: number;
    newly_found: number;
    repeated: number;
    refused: number;
    working_ms: number;
    due_by: Date;
    /** When the provider stopped returning usable responses. */
    silent_since: Date | null;
    failures: number;
    looks: number;
    next_look_at: Date | null;
    /** Lease held by the node that runs the discovery; each lease has a new identifier. */
    lease: string | null;
    leased_until: Date | null;
  };
  discovery_certificate: {
    discovery_uuid: string;
    fingerprint: string;
    uuid: string;
    /** Position in the provider's results. */
    place: number;
    newly_found: boolean;
    metadata_digest: string;
    common_name: string | null;
    serial_number: string | null;
    issuer_common_name: string | null;
    not_before: Date | null;
    not_after: Date | null;
  };
  discovery_finding: {
    discovery_uuid: string;
    page: number;
    place: number;
    provider_id: string;
    reason: string;
    seen_at: Date;
  };
};

export type DiscoveryRow = DiscoveryTables['discovery'];
export type DiscoveryFindingRow = DiscoveryTables['discovery_finding'];
