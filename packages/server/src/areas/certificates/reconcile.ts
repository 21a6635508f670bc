// Finishes what a crash or an unknown outcome left: at start and every few seconds. Each operation is leased first, so
// two nodes never carry out the same one.
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { coreContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { CallAttributes } from './call-attributes.ts';
import type { CertificateRenewer } from './renew-certificate.ts';
import type { CertificateRevoker } from './revoke-certificate.ts';
import type { FailureSettler } from './settle-failure.ts';
import * as store from './store.ts';
import { takeOver } from './store-operations.ts';
import type { OperationRow } from './tables.ts';
import { LEASE_MS, type IssuingWork, type Outcome } from './work.ts';

const PERIOD_MS = 2_000;
const BATCH = 50;

export interface ReconcilerOptions {
  readonly platform: Platform;
  readonly raProfiles: RaProfiles;
  readonly issueAttributes: CallAttributes;
  readonly revokeAttributes: CallAttributes;
  readonly carryOut: (work: IssuingWork) => Promise<Outcome>;
  readonly renewer: CertificateRenewer;
  readonly revoker: CertificateRevoker;
  readonly settle: FailureSettler;
}

export interface Reconciler extends Rounds {
  /** One round; answers how many operations it carried out. */
  runOnce(): Promise<number>;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { platform, raProfiles, issueAttributes, revokeAttributes, carryOut, renewer, revoker, settle } = options;
  const { database, clock, log } = platform;
  /** Set until everything that an earlier life of this node left was looked at once. */
  let bornAt: Date | null = clock.now();

  async function runOnce(): Promise<number> {
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const operations = await takeOver(database.executor, {
      by: platform.nodeId,
      until,
      now,
      bornAt,
      leaseMs: LEASE_MS,
      limit: BATCH,
    });
    if (operations.length < BATCH) bornAt = null;
    for (const operation of operations) {
      try {
        await settleOperation(operation);
      } catch (error) {
        log.error({ error, operation: operation.uuid }, 'an operation could not be reconciled; its lease will expire');
      }
    }
    return operations.length;
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
      return bornAt !== null;
    },
  });
  return { ...rounds, runOnce };
}
