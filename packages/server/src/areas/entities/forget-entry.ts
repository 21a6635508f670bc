// Removes the entry of a certificate that was waiting for a location but will not be issued. If the location created an
// entry for the certificate, that is also removed, unless the certificate was a renewal, because then the entry is in
// use.
import type { RequestContext } from '../../kernel/actor.ts';
import { removeGeneratedEntry } from './generated-entries.ts';
import type { DeploymentParts, ReachedLocation } from './push.ts';
import type { HeldRow } from './tables.ts';

export async function forgetEntry(
  parts: DeploymentParts,
  place: ReachedLocation,
  { row, context }: { readonly row: HeldRow; readonly context: RequestContext },
): Promise<void> {
  const { platform, contents } = parts;
  const { location, reached } = place;
  if (row.made_entry) await removeGeneratedEntry(parts, place, { metadata: row.metadata, context });
  await platform.database.transaction((tx) =>
    contents.unlink(tx, {
      locationUuid: location.uuid,
      connectorUuid: reached.entity.connector_uuid,
      gone: [row.certificate_uuid],
    }),
  );
}
