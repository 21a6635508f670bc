// Checks every connector periodically, so that its status is current even if it is not used. Nodes share the work: a
// node that claims a due connector postpones its next check by a randomized interval.
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import { isAppError } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callFailureOf } from './call-failure.ts';
import type { Clients } from './clients.ts';
import { probe, rememberStatus } from './probe.ts';
import * as store from './store.ts';
import type { ConnectorRow } from './tables.ts';

const ROUND_MS = 5_000;
/** Number of connectors checked in parallel; unresponsive ones delay a single batch at most. */
const AT_ONCE = 8;

export interface ConnectorWatch extends Rounds {
  /** Checks one batch; returns true if more connectors may be due. */
  runOnce(): Promise<boolean>;
}

export function createConnectorWatch(
  platform: Platform,
  parts: { readonly audit: AuditTrail; readonly clients: Clients },
): ConnectorWatch {
  const { database, clock, log, giveUp } = platform;
  const { audit, clients } = parts;

  async function runOnce(): Promise<boolean> {
    const taken = await store.claimDue(database.executor, { now: clock.now(), limit: AT_ONCE });
    await Promise.all(taken.map((connector) => checkConnector(connector)));
    return taken.length === AT_ONCE && !giveUp.aborted;
  }

  async function checkConnector({ uuid, name }: ConnectorRow): Promise<void> {
    try {
      await probe(await clients.clientToLookAt(uuid), giveUp);
      await rememberStatus({ platform, audit }, { uuid, name, status: 'connected' });
    } catch (error) {
      // An aborted call reveals nothing about the connector, and a connector that was removed in the meantime needs no
      // status.
      const isGone = isAppError(error, 'object_not_found') && !callFailureOf(error);
      if (giveUp.aborted || isGone || isAppError(error, 'invalid_state')) return;
      if (!isAppError(error)) throw error;
      await rememberStatus({ platform, audit }, { uuid, name, status: 'offline', reason: error.message });
      clients.invalidate(uuid);
    }
  }

  return { ...createRounds({ log, what: 'checking connectors', periodMs: ROUND_MS, run: runOnce }), runOnce };
}
