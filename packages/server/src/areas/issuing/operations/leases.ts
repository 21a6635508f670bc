// Renews the leases of operations that this process works on. While the work continues, no other node takes it over,
// however long the authority takes. A crashed node renews nothing, so its operations become available when their leases
// expire.
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createRounds, type Rounds } from '../../../platform/jobs/rounds.ts';
import { renewLeases } from './store-leases.ts';
import type { NewOperation } from './store.ts';
import { LEASE_MS, type IssuingWork, type RevokingWork } from './work.ts';

/** Two renewals can fail before a lease expires. */
const RENEWAL_MS = Math.floor(LEASE_MS / 3);

/** Returns an operation's initial lease, as columns of its row. */
export function firstLease({ nodeId, clock }: Pick<Platform, 'nodeId' | 'clock'>) {
  const now = clock.now();
  return { leased_by: nodeId, leased_until: new Date(now.getTime() + LEASE_MS), created_at: now };
}

/** Returns an operation on an existing certificate, leased to this node. */
export const newOperation = (
  platform: Pick<Platform, 'nodeId' | 'clock'>,
  { operationUuid, certificateUuid, profile, requester }: IssuingWork | RevokingWork,
  payload: NewOperation['payload'] = {},
): NewOperation => ({
  uuid: operationUuid,
  certificate_uuid: certificateUuid,
  ra_profile_uuid: profile.uuid,
  requester_uuid: requester.uuid,
  requester_name: requester.name,
  payload,
  ...firstLease(platform),
});

export interface Leases extends Rounds {
  /** Runs work on an operation leased to this node, and renews the lease until it ends. */
  hold<Result>(operationUuid: string, work: () => Promise<Result>): Promise<Result>;
  /** Renews the leases of all longer-running work. */
  renew(): Promise<void>;
}

export interface LeaseParts extends Pick<Platform, 'clock' | 'log' | 'nodeId'> {
  readonly database: { readonly executor: Executor };
}

export function createLeases({ database, clock, log, nodeId }: LeaseParts): Leases {
  /** Start time of the work on each operation, by the monotonic clock. */
  const held = new Map<string, number>();

  async function renew(): Promise<void> {
    const begunBefore = clock.monotonicMs() - RENEWAL_MS;
    // Most work ends within milliseconds, under its initial lease.
    const uuids = [...held].filter(([, beganMs]) => beganMs <= begunBefore).map(([uuid]) => uuid);
    if (uuids.length === 0) return;
    await renewLeases(database.executor, { by: nodeId, uuids, until: new Date(clock.now().getTime() + LEASE_MS) });
  }

  const rounds = createRounds({
    log,
    what: 'renewing leases',
    periodMs: RENEWAL_MS / 2,
    run: async () => {
      await renew();
      return false;
    },
  });

  return {
    ...rounds,
    renew,
    async hold(operationUuid, work) {
      held.set(operationUuid, clock.monotonicMs());
      try {
        return await work();
      } finally {
        held.delete(operationUuid);
      }
    },
  };
}
