// Settles work that did not produce a certificate. If the authority certainly did nothing, the certificate is marked as
// failed, with the reason. An unknown outcome is a separate state and never leads to a second attempt, unless the
// authority guarantees to replay the first (feature `idempotency`). A deferred reservation is written first, so that
// every rejection is visible.
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import type { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import {
  changeCertificateState,
  failCertificate,
  recordEvent,
  rejectCertificate,
  type HistoryEntry,
  type ReadCertificate,
} from '../../certificates/index.ts';
import { errorOf, retryDelayMs, withObject } from '../operations/call-failure.ts';
import { hadNoEffect, verdictOf } from '../operations/call-verdict.ts';
import { endOperation, postponeOperation } from '../operations/store.ts';
import { reportFailure } from '../operations/report-failure.ts';
import type { IssuingWork, Outcome } from '../operations/work.ts';

/** Maximum attempts at an authority that replays, before a user must decide; about two hours including the delays. */
const MAX_ATTEMPTS = 20;

export interface FailureParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
}

/** A permanent failure. If the authority signed something that was rejected, it is included. */
export interface Failure {
  readonly error: AppError;
  readonly received?: ReadCertificate;
}

export type FailureSettler = ReturnType<typeof createFailureSettler>;

export const createFailureSettler = (parts: FailureParts) => ({
  afterError: (work: IssuingWork, cause: unknown) => settleError(parts, work, cause),
  fail: (work: IssuingWork, failure: Failure) => fail(parts, work, failure),
  /** Rejects the work without calling the authority. */
  reject: (work: IssuingWork, error: AppError) => end(parts, work, { error }, rejectCertificate),
  leaveUndecided: (work: IssuingWork, error: AppError) => leaveUndecided(parts, work, error),
});

/** Settles an error of the call to the authority. */
async function settleError(parts: FailureParts, work: IssuingWork, cause: unknown): Promise<Outcome> {
  const error = errorOf(cause);
  const verdict = verdictOf(cause);
  const replays = work.profile.features.includes(IDEMPOTENCY_FEATURE);
  // A call aborted by a shutdown says nothing about the authority; it is repeated after the next start.
  if (parts.platform.giveUp.aborted && replays && verdict !== 'refused') return retryLater(parts, work, error);
  if (hadNoEffect(verdict, work.attempts)) return fail(parts, work, { error });
  return replays && work.attempts < MAX_ATTEMPTS ? retryLater(parts, work, error) : leaveUndecided(parts, work, error);
}

/**
 * Records a failure: nothing was signed, or the signed certificate was rejected and is stored with the failed
 * certificate.
 */
const fail = (parts: FailureParts, work: IssuingWork, failure: Failure): Promise<Outcome> =>
  end(parts, work, failure, failCertificate);

/** `settle` sets the certificate's final state. */
async function end(
  parts: FailureParts,
  work: IssuingWork,
  failure: Failure,
  settle: typeof failCertificate,
): Promise<Outcome> {
  const { database, clock, events, metrics } = parts.platform;
  const { received } = failure;
  const error = withObject(failure.error, work.certificateUuid);
  const at = clock.now();
  await work.deferred?.write();
  await database.transaction(async (tx) => {
    if (!(await endOperation(tx, work.operationUuid, { state: 'failed', problem: error.message, at }))) return;
    await settle(tx, work.certificateUuid, { received, at });
    const additional = received ? { receivedFingerprint: received.facts.fingerprint } : null;
    const entry = { event: 'Issue Certificate', status: 'FAILED', message: error.message, additional } as const;
    await recordFailure(tx, parts, { work, error, at, entry });
    const { certificateUuid, kind: action, requester } = work;
    const told = { certificateUuid, action, requesterUuid: requester.uuid, problem: error.message };
    await reportFailure(tx, events, told);
  });
  events.wake();
  metrics.certificateOperations.inc({ kind: work.kind, outcome: 'failed' });
  return { status: 'failed', error };
}

/** Retries the call soon, which is safe because the authority replays by idempotency key. */
async function retryLater(parts: FailureParts, work: IssuingWork, error: AppError): Promise<Outcome> {
  const at = parts.platform.clock.now();
  const leasedUntil = new Date(at.getTime() + retryDelayMs(work.attempts));
  await postpone(parts, work, { error, at, change: { state: 'pending', leasedUntil } });
  return { status: 'waiting', error: withObject(error, work.certificateUuid) };
}

/**
 * Leaves the operation undecided, because it is unknown whether the authority signed. It stays undecided until the
 * certificate appears or a user settles it.
 */
async function leaveUndecided(parts: FailureParts, work: IssuingWork, error: AppError): Promise<Outcome> {
  const { clock, metrics } = parts.platform;
  await postpone(parts, work, { error, at: clock.now(), change: { state: 'undecided' } });
  metrics.certificateOperations.inc({ kind: work.kind, outcome: 'undecided' });
  return { status: 'waiting', error: withObject(error, work.certificateUuid) };
}

async function postpone(
  parts: FailureParts,
  work: IssuingWork,
  facts: {
    readonly error: AppError;
    readonly at: Date;
    readonly change: { readonly state: 'pending' | 'undecided'; readonly leasedUntil?: Date };
  },
): Promise<void> {
  const { error, at, change } = facts;
  await work.deferred?.write();
  await parts.platform.database.transaction(async (tx) => {
    await postponeOperation(tx, work.operationUuid, { ...change, problem: error.message });
    const isNew = await changeCertificateState(tx, work.certificateUuid, {
      from: ['requested'],
      to: 'pending_issue',
      at,
    });
    // Write a single entry when the operation becomes undecided, not one for each further attempt.
    if (!isNew && change.state === 'pending') return;
    const message = `The outcome at the authority is not known yet: ${error.message}`;
    await recordFailure(tx, parts, { work, error, at, entry: { event: 'Update State', status: 'SUCCESS', message } });
  });
}

const recordFailure = (
  tx: Executor,
  { audit }: FailureParts,
  facts: {
    readonly work: IssuingWork;
    readonly error: AppError;
    readonly at: Date;
    readonly entry: Omit<HistoryEntry, 'certificate_uuid'>;
  },
): Promise<void> => {
  const { work, error, at, entry } = facts;
  const { certificateUuid, context, requester } = work;
  const occasion = { audit, context, at, by: requester.name };
  return recordEvent(tx, occasion, {
    operation: work.kind,
    history: [{ certificate_uuid: certificateUuid, ...entry }],
    objects: [{ uuid: certificateUuid }],
    result: 'failure',
    message: error.message,
  });
};
