// Finishes what a crash or an unknown outcome left: at start and every few seconds. Each operation is leased first, so
// two nodes never carry out the same one. Each connector has a lane of its own: one that hangs holds up nobody else.
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { coreContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createLanes } from '../../../platform/jobs/lanes.ts';
import { createRounds, type Rounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import type { Leases } from '../operations/leases.ts';
import type { CertificateRenewer } from '../issuing/renew.ts';
import type { CertificateRevoker } from '../revoking/revoke.ts';
import type { FailureSettler } from '../issuing/settle-failure.ts';
import * as store from '../core/store.ts';
import { findWaitingProfiles, freeEarlierLeases, takeOver } from '../operations/store-leases.ts';
import type { OperationRow } from '../core/tables.ts';
import { LEASE_MS, type IssuingWork, type Outcome } from '../operations/work.ts';

const PERIOD_MS = 2_000;
/** Operations that a connector is asked about at the same time. */
const SLOTS = 8;

export interface ReconcilerOptions {
  readonly platform: Platform;
  readonly raProfiles: RaProfiles;
  readonly issueAttributes: CallAttributes;
  readonly revokeAttributes: CallAttributes;
  readonly carryOut: (work: IssuingWork) => Promise<Outcome>;
  readonly renewer: CertificateRenewer;
  readonly revoker: CertificateRevoker;
  readonly settle: FailureSettler;
  readonly leases: Pick<Leases, 'hold'>;
}

export interface Reconciler extends Rounds {
  /** One round: sees what waits and fills the lanes with it, without waiting for them. */
  runOnce(): Promise<void>;
  /** Resolves when no lane works any more. */
  idle(): Promise<void>;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { platform, raProfiles, issueAttributes, revokeAttributes, carryOut, renewer, revoker, settle, leases } =
    options;
  const { database, clock, log, nodeId, giveUp } = platform;
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, connector) => log.error({ error, connector }, 'operations could not be taken over; trying again'),
  });
  /** Set until everything that an earlier life of this node left is free. */
  let bornAt: Date | null = clock.now();

  async function runOnce(): Promise<void> {
    if (bornAt) await freeEarlierLeases(database.executor, { by: nodeId, bornAt, leaseMs: LEASE_MS });
    bornAt = null;
    const waiting = await findWaitingProfiles(database.executor, clock.now());
    const connectors = Map.groupBy(
      await Promise.all(waiting.map(async (uuid) => ({ uuid, connector: await connectorOf(uuid) }))),
      ({ connector }) => connector,
    );
    for (const [connector, profiles] of connectors) {
      const raProfileUuids = profiles.map(({ uuid }) => uuid);
      lanes.fill(connector, () => takeNext(raProfileUuids));
    }
  }

  /** Operations of a profile that cannot be read have a lane of their own, where each of them tells the log why. */
  const connectorOf = (raProfileUuid: string): Promise<string> =>
    raProfiles.forIssuingByUuid(raProfileUuid).then(
      (profile) => profile.connectorUuid,
      () => raProfileUuid,
    );

  /** Takes over one operation, and only now: one that waits for a slot is not leased meanwhile. */
  async function takeNext(raProfileUuids: readonly string[]): Promise<boolean> {
    if (giveUp.aborted) return false;
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const [operation] = await takeOver(database.executor, { by: nodeId, until, now, raProfileUuids, limit: 1 });
    if (!operation) return false;
    try {
      await leases.hold(operation.uuid, () => settleOperation(operation));
    } catch (error) {
      log.error({ error, operation: operation.uuid }, 'an operation could not be reconciled; its lease will expire');
    }
    return true;
  }

  async function settleOperation(operation: OperationRow): Promise<void> {
    const profile = await raProfiles.forIssuingByUuid(operation.ra_profile_uuid);
    const row = await store.findOne(database.executor, operation.certificate_uuid);
    if (!row) return;
    const common = {
      operationUuid: operation.uuid,
      certificateUuid: operation.certificate_uuid,
      profile,
      requester: { uuid: operation.requester_uuid, name: operation.requester_name },
      attempts: operation.attempts,
      context: coreContext(newUuid()),
    };
    if (operation.kind === 'revoke') {
      const reason = operation.payload.reason ?? 'unspecified';
      const attributes = await revokeAttributes.read(row.uuid, profile);
      await revoker.carryOut({ ...common, der: await store.contentOf(database.executor, row), reason, attributes });
      return;
    }
    const request =
      row.request_uuid === null ? undefined : await store.findRequest(database.executor, row.request_uuid);
    const predecessorRow =
      operation.predecessor_uuid === null
        ? undefined
        : await store.findOne(database.executor, operation.predecessor_uuid);
    if (!request || (operation.predecessor_uuid !== null && !predecessorRow)) return;
    const work: IssuingWork = {
      ...common,
      kind: operation.kind,
      request: {
        der: request.der,
        format: request.format,
        publicKeyFingerprint: request.public_key_fingerprint,
        commonName: request.common_name,
      },
      attributes: await issueAttributes.read(row.uuid, profile),
      predecessor: predecessorRow ? await renewer.predecessorOf(predecessorRow) : undefined,
    };
    if (profile.features.includes(IDEMPOTENCY_FEATURE)) {
      await carryOut(work);
      return;
    }
    // The worker died with the call under way, and this authority does not replay: nobody knows what it did.
    await settle.leaveUndecided(
      work,
      new AppError('unavailable', { reason: 'the platform stopped while the authority was asked' }),
    );
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
    runOnce,
    idle: lanes.idle,
  };
}
