// Work that did not end in a certificate. An authority that certainly did nothing leaves a failed certificate with the
// reason; an unknown outcome is a state of its own and is never answered with a second attempt, unless the authority
// promises to replay the first (feature `idempotency`).
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { AppError, isAppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { certainlyWithoutEffect, verdictOf } from '../operations/call-verdict.ts';
import type { ReadCertificate } from '../core/read-certificate.ts';
import * as store from '../core/store.ts';
import { endOperation, postponeOperation } from '../operations/store.ts';
import { insertHistory } from '../core/store-history.ts';
import type { IssuingWork, Outcome } from '../operations/work.ts';

/** Attempts at an authority that replays, before a person is asked: with the delays below some two hours. */
const MAX_ATTEMPTS = 20;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 10 * 60_000;

export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), LONGEST_RETRY_MS);

export type FailureSettler = ReturnType<typeof createFailureSettler>;

export function createFailureSettler(options: { readonly platform: Platform; readonly audit: AuditTrail }) {
  const { database, clock, metrics, giveUp } = options.platform;
  const { audit } = options;

  /** Settles an error of the call to the authority. */
  async function afterError(work: IssuingWork, cause: unknown): Promise<Outcome> {
    const error = isAppError(cause)
      ? cause
      : new AppError('unavailable', { reason: 'an internal error interrupted the work' }, { cause });
    const verdict = verdictOf(cause);
    const replays = work.profile.features.includes(IDEMPOTENCY_FEATURE);
    // A call that a stop gave up says nothing about the authority: the next life asks it.
    if (giveUp.aborted && replays && verdict !== 'refused') return retryLater(work, error);
    if (certainlyWithoutEffect(verdict, work.attempts)) return fail(work, { error });
    return replays && work.attempts < MAX_ATTEMPTS ? retryLater(work, error) : leaveUndecided(work, error);
  }

  /** Nothing was signed, or what was signed is refused; then it is kept with the failed certificate. */
  async function fail(
    work: IssuingWork,
    facts: { readonly error: AppError; readonly received?: ReadCertificate },
  ): Promise<Outcome> {
    const error = withObject(facts.error, work.certificateUuid);
    const at = clock.now();
    await database.transaction(async (tx) => {
      if (!(await endOperation(tx, work.operationUuid, { state: 'failed', problem: error.message, at }))) return;
      await store.failCertificate(tx, work.certificateUuid, { received: facts.received, at });
      await insertHistory(tx, {
        uuid: newUuid(),
        certificate_uuid: work.certificateUuid,
        event: 'Issue Certificate',
        status: 'FAILED',
        message: error.message,
        additional: facts.received ? { receivedFingerprint: facts.received.facts.fingerprint } : null,
        created_at: at,
        created_by: work.requester.name,
      });
      await audit.append(tx, work.context, {
        facts: { module: 'certificates', resource: 'certificates', operation: work.kind },
        objects: [{ uuid: work.certificateUuid }],
        result: 'failure',
        message: error.message,
      });
    });
    metrics.certificateOperations.inc({ kind: work.kind, outcome: 'failed' });
    return { status: 'failed', error };
  }

  /** The authority replays by key: ask again soon. */
  async function retryLater(work: IssuingWork, error: AppError): Promise<Outcome> {
    const at = clock.now();
    const until = new Date(at.getTime() + retryDelayMs(work.attempts));
    await pend(work, { error, at, change: { state: 'pending', leasedUntil: until } });
    return { status: 'waiting', error: withObject(error, work.certificateUuid) };
  }

  /** Nobody knows whether it was signed: stays so until the certificate turns up or a person settles it. */
  async function leaveUndecided(work: IssuingWork, error: AppError): Promise<Outcome> {
    await pend(work, { error, at: clock.now(), change: { state: 'undecided' } });
    metrics.certificateOperations.inc({ kind: work.kind, outcome: 'undecided' });
    return { status: 'waiting', error: withObject(error, work.certificateUuid) };
  }

  async function pend(
    work: IssuingWork,
    facts: {
      readonly error: AppError;
      readonly at: Date;
      readonly change: { readonly state: 'pending' | 'undecided'; readonly leasedUntil?: Date };
    },
  ): Promise<void> {
    const { error, at, change } = facts;
    await database.transaction(async (tx) => {
      await postponeOperation(tx, work.operationUuid, { ...change, problem: error.message });
      const isNew = await store.changeState(tx, work.certificateUuid, { from: ['requested'], to: 'pending_issue', at });
      // One entry when it becomes undecided, not one for every further attempt.
      if (!isNew && change.state === 'pending') return;
      await insertHistory(tx, {
        uuid: newUuid(),
        certificate_uuid: work.certificateUuid,
        event: 'Update State',
        status: 'SUCCESS',
        message: `The outcome at the authority is not known yet: ${error.message}`,
        additional: null,
        created_at: at,
        created_by: work.requester.name,
      });
      await audit.append(tx, work.context, {
        facts: { module: 'certificates', resource: 'certificates', operation: work.kind },
        objects: [{ uuid: work.certificateUuid }],
        result: 'failure',
        message: error.message,
      });
    });
  }

  return { afterError, fail, leaveUndecided };
}

/** The same refusal, naming the certificate object that exists although the operation failed. */
export const withObject = (error: AppError, uuid: string): AppError =>
  new AppError(error.code, error.parameters, { cause: error, objectUuid: uuid });
