// A successor replaces a certificate in all its locations: its entries wait from the time of the request, and it is
// pushed once it is issued.
import type { RequestContext } from '../../kernel/actor.ts';
import type { ReservationHook } from '../certificates/index.ts';
import { requirePermission } from '../identity/index.ts';
import { nameOf } from './contents.ts';
import { keyOfHeld, type DeploymentParts } from './push.ts';
import { entities, findHeldByCertificate, storeHeld, locations, NOT_PROBED } from './store.ts';

/**
 * Returns undefined if the certificate is not in any location. Rejects callers who do not have permission to change all
 * of its locations.
 */
export async function prepareReplacement(
  { platform, values }: DeploymentParts,
  certificateUuid: string,
  context: RequestContext,
): Promise<ReservationHook | undefined> {
  const { executor } = platform.database;
  const held = (await findHeldByCertificate(executor, certificateUuid)).filter(({ state }) => THERE.has(state));
  if (held.length === 0) return undefined;
  const rows = await locations.findMany(
    executor,
    held.map(({ location_uuid: uuid }) => uuid),
  );
  const name = `to replace the certificate in ${rows.map((row) => row.name).join(', ')}`;
  const entityUuids = [...new Set(rows.map(({ entity_uuid: uuid }) => uuid))];
  requirePermission(context, { resource: 'entities', action: 'detail', objects: entityUuids, name });
  requirePermission(context, { resource: 'locations', action: 'update', objects: rows.map(({ uuid }) => uuid), name });
  const owners = await entities.findMany(executor, entityUuids);
  const places = await Promise.all(
    held.map(async (row) => {
      const location = rows.find(({ uuid }) => uuid === row.location_uuid);
      const owner = owners.find(({ uuid }) => uuid === location?.entity_uuid);
      const key = keyOfHeld(row, owner?.connector_uuid ?? null);
      return { row, key, push: await values.readOf(key, 'push'), csr: await values.readOf(key, 'csr') };
    }),
  );
  return async (tx, successorUuid) => {
    const now = platform.clock.now();
    for (const { row, key, push, csr } of places) {
      await storeHeld(tx, {
        ...row,
        certificate_uuid: successorUuid,
        state: 'waiting',
        with_key: false,
        metadata: [],
        made_entry: false,
        replaces_uuid: row.certificate_uuid,
        requested_by: nameOf(context),
        problem: null,
        noted_at: now,
        changed_at: now,
        ...NOT_PROBED,
      });
      await values.keepOf(tx, { ...key, certificateUuid: successorUuid }, { push, csr });
    }
  };
}

const THERE: ReadonlySet<string> = new Set(['installed', 'served']);
