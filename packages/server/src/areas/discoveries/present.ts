// Presents discoveries in the API format.
import type {
  DiscoveryCertificateDto,
  DiscoveryFinding,
  DiscoveryHistoryDto,
  DiscoveryPhase,
  DiscoveryProgress,
} from '@signetry/contract';
import type { ShownRow } from './store-found.ts';
import type { DiscoveryFindingRow, DiscoveryRow } from './tables.ts';

export const presentDiscovery = (row: DiscoveryRow): DiscoveryHistoryDto => ({
  uuid: row.uuid,
  name: row.name,
  kind: row.kind,
  status: row.status,
  startTime: row.started_at.toISOString(),
  endTime: row.ended_at?.toISOString() ?? null,
  totalCertificatesDiscovered: row.found,
  connectorUuid: row.connector_uuid ?? '',
  connectorName: row.connector_uuid === null ? `${row.connector_name} (Deleted)` : row.connector_name,
});

/** All listed certificates are processed: each is written together with its inventory entry. */
export const presentFound = (row: ShownRow): DiscoveryCertificateDto => ({
  uuid: row.uuid,
  ...(row.inventory_uuid === null ? {} : { inventoryUuid: row.inventory_uuid }),
  commonName: row.common_name ?? '',
  serialNumber: row.serial_number ?? '',
  issuerCommonName: row.issuer_common_name ?? '',
  notBefore: row.not_before?.toISOString() ?? '',
  notAfter: row.not_after?.toISOString() ?? '',
  fingerprint: row.fingerprint,
  certificateContent: row.der?.toString('base64') ?? '',
  newlyDiscovered: row.newly_found,
  processed: true,
});

export const presentFinding = (row: DiscoveryFindingRow): DiscoveryFinding => ({
  page: row.page,
  place: row.place,
  providerId: row.provider_id,
  reason: row.reason,
  seenAt: row.seen_at.toISOString(),
});

function phaseOf(row: DiscoveryRow): DiscoveryPhase {
  if (row.ended_at !== null) return 'ended';
  if (row.provider_uuid === null) return 'starting';
  return row.pages === null ? 'searching' : 'reading';
}

const isIncomplete = ({ pages, pages_read: read }: DiscoveryRow): boolean => pages === null || read < pages;

export function presentProgress(row: DiscoveryRow): DiscoveryProgress {
  const isOpen = row.ended_at === null;
  const message = isOpen ? waitReason(row) : row.message;
  return {
    uuid: row.uuid,
    status: row.status,
    phase: phaseOf(row),
    ...(message === null ? {} : { message }),
    announced: row.announced,
    read: row.results_read,
    found: row.found,
    newlyDiscovered: row.newly_found,
    repeated: row.repeated,
    refused: row.refused,
    pagesRead: row.pages_read,
    ...(row.pages === null ? {} : { pages: row.pages }),
    ...(row.working_ms > 0 && { perSecond: Math.round((row.results_read * 1000) / row.working_ms) }),
    startedAt: row.started_at.toISOString(),
    ...(row.ended_at && { endedAt: row.ended_at.toISOString() }),
    startedBy: row.started_by,
    ...(row.stopped_by !== null && { stoppedBy: row.stopped_by }),
    stoppable: isOpen,
    resumable: !isOpen && isIncomplete(row),
  };
}

const waitReason = ({ failures, warning, connector_name: connector }: DiscoveryRow): string | null =>
  failures > 0
    ? `Connector ${connector} did not return a usable response (${failures} in a row); will retry.`
    : warning;
