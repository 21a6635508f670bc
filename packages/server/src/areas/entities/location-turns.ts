// One operation at a location at a time, on whichever node: pushes and keys of two would take each other's place. The
// operation is in the database, with a lease that its node renews. An operation whose node ended gives way within
// seconds, and what it left behind is found out before the next one begins.
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

/** Two renewals may fail before it ends. */
const LEASE_MS = 6_000;
const RENEWAL_MS = LEASE_MS / 3;
/** Longer than a lease: whoever waits takes over from a node that ended. */
const WAIT_MS = 9_000;
const POLL_MS = 200;

export interface Turn {
  readonly kind: LocationOperationKind;
  readonly certificateUuid?: string;
  readonly context: RequestContext;
}

type Location = Pick<LocationRow, 'uuid' | 'name'>;

export interface LocationTurns extends Rounds {
  /** Waits for the operation that is under way, if need be; refused where that takes longer. */
  take<Result>(location: Location, turn: Turn, work: () => Promise<Result>): Promise<Result>;
  /** Undefined, at once, where another operation is under way. */
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
    what: 'the renewal of leases of locations',
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

  /** Where what was left behind cannot be found out, the lease ends by itself, and the next operation tries again. */
  async function during<Result>(
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
      // One that stays ends with its lease.
      const ended = endOperation(executor, uuid);
      await ended.catch((error: unknown) => log.warn({ error, location: location.name }, 'an operation was not ended'));
    }
  }

  return {
    ...rounds,
    async take(location, turn, work) {
      const until = clock.monotonicMs() + waitMs;
      for (;;) {
        const row = rowOf(location, turn);
        const { begun, interrupted } = await beginOperation(executor, row);
        if (begun) return during(location, { row, interrupted }, work);
        if (clock.monotonicMs() >= until) throw inUse(location, await findOperation(executor, location.uuid));
        await delay(POLL_MS, undefined, { signal: turn.context.signal });
      }
    },
    async tryTo(location, turn, work) {
      const row = rowOf(location, turn);
      const { begun, interrupted } = await beginOperation(executor, row);
      return begun ? during(location, { row, interrupted }, work) : undefined;
    },
  };
}

/** The content of the location says what became of a push; one that is not there is pushed again. */
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

function inUse({ name }: Location, operation: LocationOperationRow | undefined): AppError {
  const state = operation
    ? `in use: ${WORDS[operation.kind]} requested by ${operation.requested_by} has been in progress since ${operation.started_at.toISOString()}`
    : 'in use by other operations';
  const needed = 'that the operation has finished; nothing was issued or changed, so try again then';
  return new AppError('invalid_state', { what: 'Location', name, state, needed });
}
