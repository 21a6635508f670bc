// Records that a certificate has been installed in a location, as reported by its provider. If the location has an
// endpoint, it is probed from then on, and the previous certificate can be restored until the result is known.
import type { MetadataAttribute } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import { findHeld, storeHeld, locations, NOT_PROBED, setAside } from './store.ts';
import { findProbe } from './store-probes.ts';
import type { HeldRow, HeldState } from './tables.ts';

export interface Arrival {
  readonly withKey: boolean;
  readonly metadata: readonly MetadataAttribute[];
  readonly at: Date;
}

/** Returns the certificates that are no longer in the location. */
export async function recordArrival(tx: Executor, row: HeldRow, { withKey, metadata, at }: Arrival): Promise<string[]> {
  const probe = await findProbe(tx, row.location_uuid);
  const [before = row.replaces_uuid, ...others] = await findDisplaced(tx, row);
  const canComeBack = probe?.restore_previous === true && before !== null;
  await storeHeld(tx, {
    ...row,
    state: 'installed',
    with_key: withKey,
    metadata,
    replaces_uuid: canComeBack ? before : null,
    problem: null,
    changed_at: at,
    ...(probe ? { ...NOT_PROBED, asked_until: secondsAfter(at, probe.timeout_s), ask_at: at } : NOT_PROBED),
  });
  if (canComeBack) await setAside(tx, { location_uuid: row.location_uuid, certificate_uuid: before }, at);
  return canComeBack || before === null ? others : [before, ...others];
}

/**
 * Returns the certificates displaced from a location that holds only one, including any that were installed after the
 * push was requested.
 */
async function findDisplaced(tx: Executor, row: HeldRow): Promise<string[]> {
  const { multiple_entries: isRoomy } = await locations.require(tx, row.location_uuid);
  if (isRoomy) return [];
  const held = await findHeld(tx, [row.location_uuid]);
  return held
    .filter(({ state, certificate_uuid: uuid }) => isPresent(state) && uuid !== row.certificate_uuid)
    .map(({ certificate_uuid: uuid }) => uuid);
}

const isPresent = (state: HeldState): boolean => state === 'installed' || state === 'served';

const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1_000);
