// Rows of the tables that this area owns (migration 0064-discoveries).
import type { DiscoveryStatus } from '@signetry/contract';

export type DiscoveryTables = {
  discovery: {
    uuid: string;
    name: string;
    kind: string;
    connector_uuid: string | null;
    connector_name: string;
    /** Discoveries with the same digest asked the same connector for the same. */
    asked_for: string;
    /** Identifier at the provider, once it has answered. */
    provider_uuid: string | null;
    status: DiscoveryStatus;
    connector_status: DiscoveryStatus;
    /** Why it ended as it did. */
    message: string | null;
    /** Why it will end with a warning, however the rest goes. */
    warning: string | null;
    started_at: Date;
    started_by_uuid: string | null;
    started_by: string;
    ended_at: Date | null;
    stopped_by: string | null;
    /** Certificates that the provider announced when it had finished, or until now. */
    announced: number;
    page_size: number;
    /** Of what was announced; null before the provider has finished. */
    pages: number | null;
    /** Pages from the first on whose results are taken in. */
    pages_read: number;
    results_read: number;
    found: number;
    newly_found: number;
    repeated: number;
    refused: number;
    working_ms: number;
    due_by: Date;
    /** The provider has not given a usable answer since. */
    silent_since: Date | null;
    failures: number;
    looks: number;
    next_look_at: Date | null;
    /** Of the node that works on it: another one for each time it is taken. */
    lease: string | null;
    leased_until: Date | null;
  };
  discovery_certificate: {
    discovery_uuid: string;
    fingerprint: string;
    uuid: string;
    /** Among the results of the provider. */
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
