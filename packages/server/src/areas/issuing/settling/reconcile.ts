// Finishes what a crash or an unknown outcome left: at start and every few seconds. Each operation is leased first, so
// two nodes never carry out the same one. Each connector has a lane of its own: one that hangs holds up nobody else.
import { createLanes, type Lanes } from '../../../platform/jobs/lanes.ts';
import { createRounds, type Rounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import type { OperationRow } from '../tables.ts';
import type { Leases } from '../operations/leases.ts';
import { findWaitingProfiles, freeEarlierLeases, takeOver } from '../operations/store-leases.ts';
import { LEASE_MS } from '../operations/work.ts';

const PERIOD_MS = 2_000;
/** Operations that a connector is asked about at the same time. */
const SLOTS = 8;

export interface ReconcilerParts {
  readonly platform: Platform;
  readonly raProfiles: Pick<RaProfiles, 'forUpkeep'>;
  readonly leases: Pick<Leases, 'hold'>;
  /** Carries out an operation that another worker began. */
  readonly resume: (operation: OperationRow) => Promise<void>;
}

export interface Reconciler extends Rounds {
  /** One round: sees what waits and fills the lanes with it, without waiting for them. */
  runOnce(): Promise<void>;
  /** Begins a round now; call after a commit that left something to do. */
  wake(): void;
  /** Resolves when no lane works any more. */
  idle(): Promise<void>;
}

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { database, clock, log, nodeId } = parts.platform;
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, connector) => log.error({ error, connector }, 'operations could not be taken over; trying again'),
  });
  /** Set until everything that an earlier run of this node left is free. */
  let bornAt: Date | null = clock.now();

  async function runOnce(): Promise<void> {
    if (bornAt) await freeEarlierLeases(database.executor, { by: nodeId, bornAt, leaseMs: LEASE_MS });
    bornAt = null;
    await fillLanes(parts, lanes);
  }

  const rounds = createRounds({
    log,
    what: 'reconciliation',
    periodMs: PERIOD_MS,
    run: async () => {
      await runOnce();
      return false;
    },
  });
  return {
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await lanes.stop();
    },
    wake: rounds.wake,
    runOnce,
    idle: lanes.idle,
  };
}

async function fillLanes(parts: ReconcilerParts, lanes: Lanes): Promise<void> {
  const { database, clock } = parts.platform;
  const waiting = await findWaitingProfiles(database.executor, clock.now());
  const connectors = Map.groupBy(
    await Promise.all(waiting.map(async (uuid) => ({ uuid, connector: await connectorOf(parts, uuid) }))),
    ({ connector }) => connector,
  );
  for (const [connector, profiles] of connectors) {
    const raProfileUuids = profiles.map(({ uuid }) => uuid);
    lanes.fill(connector, () => takeNext(parts, raProfileUuids));
  }
}

/** Operations of a profile that cannot be read have a lane of their own, where each of them tells the log why. */
const connectorOf = ({ raProfiles }: ReconcilerParts, raProfileUuid: string): Promise<string> =>
  raProfiles.forUpkeep(raProfileUuid).then(
    (profile) => profile.connectorUuid,
    () => raProfileUuid,
  );

/** Takes over one operation, and only now: one that waits for a slot is not leased meanwhile. */
async function takeNext(parts: ReconcilerParts, raProfileUuids: readonly string[]): Promise<boolean> {
  const { database, clock, log, nodeId, giveUp } = parts.platform;
  if (giveUp.aborted) return false;
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const [operation] = await takeOver(database.executor, { by: nodeId, until, now, raProfileUuids, limit: 1 });
  if (!operation) return false;
  try {
    await parts.leases.hold(operation.uuid, () => parts.resume(operation));
  } catch (error) {
    log.error({ error, operation: operation.uuid }, 'an operation could not be reconciled; its lease will expire');
  }
  return true;
}
