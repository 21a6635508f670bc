// Discoveries and certificates in the interface's format.
import type { DiscoveryProviderDto } from '@signetry/contract';
import type { DiscoveryKind } from './discovery-kind.ts';
import type { DiscoveryRow, FoundRow } from './discovery-store.ts';

export function presentDiscovery<Wish, Checkpoint, Sighting>(
  kind: DiscoveryKind<Wish, Checkpoint, Sighting>,
  row: DiscoveryRow<Wish, Checkpoint>,
  found: readonly FoundRow<Sighting>[] = [],
): DiscoveryProviderDto {
  return {
    uuid: row.uuid,
    name: row.name,
    status: row.status,
    totalCertificatesDiscovered: row.certificates,
    certificateData: found.map((each) => ({
      uuid: each.uuid,
      base64Content: Buffer.from(each.der).toString('base64'),
      meta: kind.certificateMetadata(each),
    })),
    meta: kind.metadata(row),
  };
}
