// A certificate has come to a location, as its provider says. Where the location has an endpoint that can be asked, it
// is asked from now on, and the certificate from before can come back until the answer is there.
import type { MetadataAttribute } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import { keepHeld, NOT_ASKED, setAside } from './store.ts';
import { findProbe } from './store-probes.ts';
import type { HeldRow } from './tables.ts';

export interface Arrival {
  readonly withKey: boolean;
  readonly metadata: readonly MetadataAttribute[];
  readonly at: Date;
}

/** Returns the certificates that are no longer in the location. */
export async function arrive(tx: Executor, row: HeldRow, { withKey, metadata, at }: Arrival): Promise<string[]> {
  const probe = await findProbe(tx, row.location_uuid);
  const before = row.replaces_uuid;
  const canComeBack = probe?.restore_previous === true && before !== null;
  await keepHeld(tx, {
    ...row,
    state: 'installed',
    with_key: withKey,
    metadata,
    replaces_uuid: canComeBack ? before : null,
    problem: null,
    changed_at: at,
    ...(probe ? { ...NOT_ASKED, asked_until: secondsAfter(at, probe.timeout_s), ask_at: at } : NOT_ASKED),
  });
  if (canComeBack) await setAside(tx, { location_uuid: row.location_uuid, certificate_uuid: before }, at);
  return canComeBack || before === null ? [] : [before];
}

const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1_000);
