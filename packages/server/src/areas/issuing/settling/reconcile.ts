// Completes operations left by a crash or an unknown outcome, at startup and every few seconds. Each operation is
// leased first, so two nodes never carry out the same one. Each connector has its own lane, so a hanging connector does
// not delay others.
import { createLanes, type Lanes } from '../../../platform/jobs/lanes.ts';
import { createRounds, type Rounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import type { OperationRow } from '../tables.ts';
import type { Leases } from '../operations/leases.ts';
import { findWaitingProfiles, releaseEarlierLeases, takeOver } from '../operations/store-leases.ts';
import { LEASE_MS } from '../operations/work.ts';

const PERIOD_MS = 2_000;
/** Maximum number of concurrent operations per connector. */
const SLOTS = 8;

export interface ReconcilerParts {
  readonly platform: Platform;
  readonly raProfiles: Pick<RaProfiles, 'forUpkeep'>;
  readonly leases: Pick<Leases, 'hold'>;
  /** Carries out an operation that another worker started. */
  readonly resume: (operation: OperationRow) => Promise<void>;
}

export interface Reconciler extends Rounds {
  /** Runs one pass: finds waiting operations and fills the lanes with them, but does not wait for them to finish. */
  runOnce(): Promise<void>;
  /** Starts a pass immediately; call this after a commit that left work to do. */
  wake(): void;
  /** Resolves when all lanes are idle. */
  idle(): Promise<void>;
}

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { database, clock, log, nodeId } = parts.platform;
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, connector) => log.error({ error, connector }, 'could not take over operations; trying again'),
  });
  /** Start time of this node; null once the leases from its previous run have been released. */
  let bornAt: Date | null = clock.now();

  async function runOnce(): Promise<void> {
    if (bornAt) await releaseEarlierLeases(database.executor, { by: nodeId, bornAt, leaseMs: LEASE_MS });
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
    lanes.fill(connector, () => claimNext(parts, raProfileUuids));
  }
}

/** Operations under a profile that cannot be read have a separate lane, where each operation logs the reason. */
const connectorOf = ({ raProfiles }: ReconcilerParts, raProfileUuid: string): Promise<string> =>
  raProfiles.forUpkeep(raProfileUuid).then(
    (profile) => profile.connectorUuid,
    () => raProfileUuid,
  );

/** Takes over a single operation at the last moment, so that operations waiting for a slot are not leased. */
async function claimNext(parts: ReconcilerParts, raProfileUuids: readonly string[]): Promise<boolean> {
  const { database, clock, log, nodeId, giveUp } = parts.platform;
  if (giveUp.aborted) return false;
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const [operation] = await takeOver(database.executor, { by: nodeId, until, now, raProfileUuids, limit: 1 });
  if (!operation) return false;
  try {
    await parts.leases.hold(operation.uuid, () => parts.resume(operation));
  } catch (error) {
    log.error({ error, operation: operation.uuid }, 'could not reconcile an operation; its lease will expire');
  }
  return true;
}
