// Notifies Intune of the outcome of requests that it has validated. Each notification is stored before a certificate is
// requested, so that it is not lost if a node stops. A notification may be delivered twice.
import type { Enrollments } from '../../../areas/enrollments/index.ts';
import type { IntuneProfiles, ServedScepProfile } from '../../../areas/scep-profiles/index.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createRounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Intune, IntuneRequest } from './client.ts';
import { enrollmentOutcomeOf, nextAttempt, nextCheck } from './enrollment-outcome.ts';
import { IntuneFault, IntuneRejection } from './faults.ts';
import * as store from './store-notices.ts';
import type { NoticeRow } from './tables.ts';

const PERIOD_MS = 2_000;
/** Longer than it takes to send a notification or to wait for a certificate. A completed request is checked sooner. */
const LEASE_MS = 60_000;
const FIRST_LOOK_MS = 10_000;
/** Maximum time that a notification can be postponed. */
const LONGEST_PAUSE_MS = 2 * 3_600_000;
const BATCH = 16;

export interface ValidatedRequest {
  readonly profile: Pick<ServedScepProfile, 'uuid'>;
  /** Transaction identifier of the enrollment. */
  readonly enrollmentTransaction: string;
  readonly request: IntuneRequest;
}

export interface NoticeParts {
  readonly platform: Pick<Platform, 'database' | 'clock' | 'log'>;
  readonly intune: Pick<Intune, 'tellIssued' | 'tellFailed'>;
  readonly profiles: Pick<IntuneProfiles, 'findOne'>;
  readonly enrollments: Pick<Enrollments, 'find'>;
}

export interface IntuneNotices {
  /** Stores a pending notification. Call this before a certificate is requested. */
  expect(validated: ValidatedRequest): Promise<void>;
  /** Makes a notification due now. Call this when the request may have been completed. */
  hasten(validated: Pick<ValidatedRequest, 'profile' | 'enrollmentTransaction'>): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createIntuneNotices(parts: NoticeParts): IntuneNotices {
  const { database, clock, log } = parts.platform;
  const { executor } = database;
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms);

  /** Handles a failed notification, which does not delay others; it is due again when its lease expires. */
  const onFailure =
    ({ profile_uuid: profile }: NoticeRow) =>
    (error: unknown): void =>
      log.error({ error, profile }, 'cannot process a Microsoft Intune notification');

  const rounds = createRounds({
    log,
    what: 'notifying Microsoft Intune of certificates',
    periodMs: PERIOD_MS,
    run: async () => {
      const claim = { now: clock.now(), never: inMs(LONGEST_PAUSE_MS), until: inMs(LEASE_MS), limit: BATCH };
      const claimed = await store.claimNotices(executor, claim);
      await Promise.all(claimed.map((notice) => processNotice(parts, notice).catch(onFailure(notice))));
      return claimed.length === BATCH;
    },
  });

  return {
    async expect({ profile, enrollmentTransaction, request: { transactionId, request } }) {
      await store.insertNotice(executor, {
        uuid: newUuid(),
        profile_uuid: profile.uuid,
        enrollment_transaction: enrollmentTransaction,
        transaction_id: transactionId,
        request,
        attempts: 0,
        created_at: clock.now(),
        next_at: inMs(FIRST_LOOK_MS),
      });
    },
    async hasten({ profile, enrollmentTransaction }) {
      const key = { profile_uuid: profile.uuid, enrollment_transaction: enrollmentTransaction };
      await store.hastenNotice(executor, key, clock.now());
      rounds.wake();
    },
    start: () => rounds.start(),
    stop: rounds.stop,
  };
}

async function processNotice(
  { platform, intune, profiles, enrollments }: NoticeParts,
  notice: NoticeRow,
): Promise<void> {
  const { database, clock, log } = platform;
  const { uuid, profile_uuid: profileUuid, enrollment_transaction: transactionId } = notice;
  const facts = { profile: profileUuid, transactionId: notice.transaction_id };
  const done = () => store.deleteNotice(database.executor, uuid);
  const profile = await profiles.findOne(profileUuid);
  if (!profile) {
    log.info(facts, 'Microsoft Intune is not notified of a request, because its profile no longer uses Intune');
    return done();
  }
  const enrollment = await enrollments.find({ protocol: 'scep', profileUuid, transactionId });
  const fate = enrollmentOutcomeOf(enrollment, notice, clock.now());
  if (fate.kind === 'void') return done();
  if (fate.kind === 'open') {
    const later = { attempts: notice.attempts, next_at: nextCheck(notice, clock.now()) };
    return store.postponeNotice(database.executor, uuid, later);
  }
  const request = { transactionId: notice.transaction_id, request: notice.request };
  try {
    if (fate.kind === 'issued') await intune.tellIssued(profile.account, request, fate.facts);
    else await intune.tellFailed(profile.account, request, fate.facts);
    return await done();
  } catch (error) {
    if (!(error instanceof IntuneFault) && !(error instanceof IntuneRejection)) throw error;
    const attempts = notice.attempts + 1;
    const next = nextAttempt(attempts, clock.now());
    if (next) {
      log.warn({ ...facts, attempts, problem: error.message }, 'could not notify Microsoft Intune; will retry');
      return store.postponeNotice(database.executor, uuid, { attempts, next_at: next });
    }
    log.error({ ...facts, attempts, problem: error.message }, 'could not notify Microsoft Intune; giving up');
    return done();
  }
}
