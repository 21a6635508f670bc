// Rechecks notifications of lasting conditions: repeats those that are due, and removes those that have ended.
import type { Executor } from '../../../platform/database/database.ts';
import { createRounds, type WakeableRounds } from '../../../platform/jobs/rounds.ts';
import { findVersion } from '../store.ts';
import { findStillExpiring, storePending, removePending, claimDuePending } from '../store-pending.ts';
import type { PendingRow } from '../tables.ts';
import { nextCheckAt, nextSendAt } from './repetition.ts';
import { notifyIfDue, type SendParts } from './send.ts';

const PERIOD_MS = 30_000;
const AT_ONCE = 200;
/** Upper bound for the time until the next check: each condition is checked hourly. */
const LONGEST_PAUSE_MS = 2 * 3_600_000;

export const createRepetition = (
  parts: SendParts & { readonly queued: () => void; readonly periodMs?: number | undefined },
): WakeableRounds =>
  createRounds({
    log: parts.platform.log,
    what: 'repeating notifications',
    periodMs: parts.periodMs ?? PERIOD_MS,
    run: async () => {
      const seen = await checkPending(parts);
      if (seen > 0) parts.queued();
      return seen === AT_ONCE;
    },
  });

/** Processes one batch in one transaction; returns the number of conditions checked. */
export async function checkPending(parts: SendParts): Promise<number> {
  const { database, clock } = parts.platform;
  return database.transaction(async (tx) => {
    const now = clock.now();
    const never = new Date(now.getTime() + LONGEST_PAUSE_MS);
    const due = await claimDuePending(tx, { now, never, limit: AT_ONCE });
    const certificates = due.filter(({ event }) => event === 'certificate_expiring').map((row) => row.object_uuid);
    const lasting = await findStillExpiring(tx, certificates, now);
    for (const pending of due) {
      if (lasting.has(pending.object_uuid))
        await checkCondition(parts, tx, { pending: clampSentTime(pending, now), now });
      else await removePending(tx, pending);
    }
    return due.length;
  });
}

/**
 * If the clock was set back and a notification is dated in the future, it is treated as sent just now, because its
 * actual time is unknown.
 */
const clampSentTime = (pending: PendingRow, now: Date): PendingRow =>
  pending.last_sent_at > now ? { ...pending, last_sent_at: now } : pending;

async function checkCondition(
  parts: SendParts,
  tx: Executor,
  { pending, now }: { readonly pending: PendingRow; readonly now: Date },
): Promise<void> {
  const profile = await findVersion(tx, pending.profile_uuid, pending.version);
  if (!profile) return removePending(tx, pending);
  await storePending(tx, { ...pending, next_at: nextCheckAt(pending, profile, now) });
  const again = nextSendAt(pending, profile);
  if (again === null || again > now) return;
  const { event, resource, object_uuid: objectUuid, data, sent_count: count } = pending;
  const cause = `${event}/${objectUuid}/${pending.profile_uuid}/${pending.last_sent_at.toISOString()}/${count}`;
  await notifyIfDue(parts, tx, { profile, pending, message: { cause, event, resource, objectUuid, data } });
}
