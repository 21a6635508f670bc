// Runs one operation at a time per location across all nodes; concurrent pushes or key generations would overwrite each
// other. Operations are stored in the database, with a lease that their node renews. An operation of a crashed node
// gives way within seconds, and its outcome is determined before the next one starts.
import { setTimeout as delay } from 'node:timers/promises';
import type { LocationOperationKind } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameOf, type Contents } from './contents.ts';
import { claimHeld, findHeld, locations } from './store.ts';
import { beginOperation, endOperation, findOperation, renewOperations } from './store-operations.ts';
import type { LocationOperationRow, LocationRow } from './tables.ts';

/** Long enough to tolerate two failed renewals. */
const LEASE_MS = 6_000;
const RENEWAL_MS = LEASE_MS / 3;
/** Longer than a lease, so that a waiting operation can take over from a crashed node. */
const WAIT_MS = 9_000;
const POLL_MS = 200;

export interface Turn {
  readonly kind: LocationOperationKind;
  readonly certificateUuid?: string;
  readonly context: RequestContext;
}

type Location = Pick<LocationRow, 'uuid' | 'name'>;

export interface LocationTurns extends Rounds {
  /** Waits for a running operation if necessary; rejects if the wait takes too long. */
  take<Result>(location: Location, turn: Turn, work: () => Promise<Result>): Promise<Result>;
  /** Returns undefined immediately if a different operation is running. */
  tryTo<Result>(location: Location, turn: Turn, work: () => Promise<Result>): Promise<Result | undefined>;
}

interface TurnParts {
  readonly platform: Platform;
  readonly contents: Pick<Contents, 'sync'>;
  /** How long an operation waits for another one. */
  readonly waitMs?: number | undefined;
}

export function createLocationTurns({ platform, contents, waitMs = WAIT_MS }: TurnParts): LocationTurns {
  const { database, clock, log, nodeId } = platform;
  const { executor } = database;
  const held = new Set<string>();
  const leaseEnd = (): Date => new Date(clock.now().getTime() + LEASE_MS);

  const rounds = createRounds({
    log,
    what: 'renewing location leases',
    periodMs: RENEWAL_MS,
    run: async () => {
      if (held.size > 0) await renewOperations(executor, [...held], leaseEnd());
      return false;
    },
  });

  const rowOf = ({ uuid }: Location, { kind, certificateUuid, context }: Turn): LocationOperationRow => ({
    location_uuid: uuid,
    uuid: newUuid(),
    kind,
    certificate_uuid: certificateUuid ?? null,
    requested_by: nameOf(context),
    node_uuid: nodeId,
    started_at: clock.now(),
    leased_until: leaseEnd(),
  });

  /**
   * If an interrupted operation's outcome cannot be determined, the lease expires and the next operation tries again.
   */
  async function runDuring<Result>(
    location: Location,
    facts: { readonly row: LocationOperationRow; readonly interrupted: boolean },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { uuid } = facts.row;
    held.add(uuid);
    try {
      if (facts.interrupted) await recover(platform, contents, location);
    } catch (error) {
      held.delete(uuid);
      throw error;
    }
    try {
      return await work();
    } finally {
      held.delete(uuid);
      // If this fails, the operation ends when its lease expires.
      const ended = endOperation(executor, uuid);
      await ended.catch((error: unknown) =>
        log.warn({ error, location: location.name }, 'cannot end a location operation; its lease will expire'),
      );
    }
  }

  return {
    ...rounds,
    async take(location, turn, work) {
      const until = clock.monotonicMs() + waitMs;
      for (;;) {
        const row = rowOf(location, turn);
        const { begun, interrupted } = await beginOperation(executor, row);
        if (begun) return runDuring(location, { row, interrupted }, work);
        if (clock.monotonicMs() >= until) throw inUseError(location, await findOperation(executor, location.uuid));
        await delay(POLL_MS, undefined, { signal: turn.context.signal });
      }
    },
    async tryTo(location, turn, work) {
      const row = rowOf(location, turn);
      const { begun, interrupted } = await beginOperation(executor, row);
      return begun ? runDuring(location, { row, interrupted }, work) : undefined;
    },
  };
}

/** The location's contents show the outcome of a push; a missing certificate is pushed again. */
async function recover(
  { database, clock }: Platform,
  contents: Pick<Contents, 'sync'>,
  { uuid }: Location,
): Promise<void> {
  const isPushing = async (): Promise<boolean> =>
    (await findHeld(database.executor, [uuid])).some(({ state }) => state === 'pushing');
  if (!(await isPushing())) return;
  const location = await locations.require(database.executor, uuid);
  await database.transaction(await contents.sync(location, coreContext(newUuid())));
  for (const row of await findHeld(database.executor, [uuid]))
    await claimHeld(database.executor, row, { from: 'pushing', to: 'waiting', at: clock.now() });
}

const WORDS: Readonly<Record<LocationOperationKind, string>> = {
  push: 'a push',
  issue: 'issuing a certificate',
  renew: 'a renewal',
  remove: 'removing a certificate',
  recover: 'checking the result of an interrupted operation',
};

function inUseError({ name }: Location, operation: LocationOperationRow | undefined): AppError {
  const state = operation
    ? `in use: ${WORDS[operation.kind]} requested by ${operation.requested_by} has been in progress since ${operation.started_at.toISOString()}`
    : 'in use by other operations';
  const needed = 'the operation to finish; nothing was issued or changed, so try again afterwards';
  return new AppError('invalid_state', { what: 'Location', name, state, needed });
}
