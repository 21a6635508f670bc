// Removes a certificate from a location: first at its provider, then from the platform's data.
import { entityProviderOperations } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { HeldCertificate } from '../inventory/index.ts';
import { nameOf } from './contents.ts';
import { removeGeneratedEntry } from './generated-entries.ts';
import { requireUsableLocation, type DeploymentParts, type ReachedLocation, type Target } from './push.ts';
import { findHeld, locations } from './store.ts';
import type { HeldRow, HeldState } from './tables.ts';

export interface HeldEntry {
  readonly row: HeldRow;
  readonly certificate: HeldCertificate;
}

/** Rejects certificates that are neither in the location nor pending there. */
export async function requireHeld(
  { certificates, platform }: DeploymentParts,
  { location }: ReachedLocation,
  certificateUuid: string,
): Promise<HeldEntry> {
  const certificate = await certificates.require(certificateUuid);
  const held = await findHeld(platform.database.executor, [location.uuid]);
  const row = held.find(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
  if (!row) throw rejected(`Certificate ${certificate.title} is not in location ${location.name}.`);
  return { row, certificate };
}

export async function removeFromLocation(
  parts: DeploymentParts,
  target: Target,
  context: RequestContext,
): Promise<void> {
  const place = await requireUsableLocation(parts, target);
  const { certificateUuid } = target;
  await parts.turns.take(place.location, { kind: 'remove', certificateUuid, context }, () =>
    removeNow(parts, place, { target, context }),
  );
}

async function removeNow(
  parts: DeploymentParts,
  place: ReachedLocation,
  { target, context }: { readonly target: Target; readonly context: RequestContext },
): Promise<void> {
  const { platform, contents, certificates, audit } = parts;
  const { location, reached } = place;
  const { row, certificate } = await requireHeld(parts, place, target.certificateUuid);
  if (row.state === 'pushing' && row.replaces_uuid !== null)
    throw rejected(
      `Cannot remove ${certificate.title} from location ${location.name}: it is replacing another certificate. Wait until that has finished.`,
    );
  if (IS_THERE.has(row.state)) await removeAtProvider(parts, place, { row, context });
  else if (row.made_entry) await removeGeneratedEntry(parts, place, { metadata: row.metadata, context });
  await platform.database.transaction(async (tx) => {
    await locations.lock(tx, location.uuid);
    const connectorUuid = reached.entity.connector_uuid;
    await contents.unlink(tx, { locationUuid: location.uuid, connectorUuid, gone: [certificate.uuid] });
    const entry = { uuid: certificate.uuid, failed: false, message: `Removed from location ${location.name}` };
    await certificates.tell(tx, entry, { at: platform.clock.now(), by: nameOf(context) });
    await audit.append(tx, context, { objects: [location], data: { certificate: certificate.uuid } });
  });
}

/**
 * States in which the certificate is in the location. Otherwise (waiting, failed or replaced), its metadata may by now
 * identify the entry of a different certificate.
 */
const IS_THERE: ReadonlySet<HeldState> = new Set(['installed', 'served', 'pushing']);

/** The provider identifies the entry by the metadata that it returned when the certificate or its key was added. */
async function removeAtProvider(
  { values }: DeploymentParts,
  { location, reached: { client, params, entity } }: ReachedLocation,
  { row, context }: { readonly row: HeldRow; readonly context: RequestContext },
): Promise<void> {
  const locationAttributes = await values.toSend(location.uuid, entity.connector_uuid);
  const body = { certificateMetadata: [...row.metadata], locationAttributes };
  const { removeCertificateFromLocation } = entityProviderOperations;
  await client.call(removeCertificateFromLocation, { params, body }, { signal: context.signal });
}
