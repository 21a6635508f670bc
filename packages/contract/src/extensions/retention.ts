// How long the platform keeps what it notes down about what happened. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';

const MAX_KEPT_DAYS = 3_650;

/** Days from 1 to ten years. */
const days = () => int32().min(1).max(MAX_KEPT_DAYS);

const kept = {
  /** Days that events are kept for those who follow them; longer while a part of the platform has not read them. */
  eventsKeptDays: days(),
  /** Days that it is kept what triggers were asked, and what came of it. */
  evaluationsKeptDays: days(),
  /** Days after which deliveries of notifications that ended are removed. */
  deliveriesKeptDays: days(),
  /** Days after which notifications of users are removed, read or not. */
  notificationsKeptDays: days(),
};

const keptSince = {
  /** Days after which runs of scheduled jobs that ended are removed; the last one of each job stays. */
  jobRunsKeptDays: days(),
  /** Days after which requests of devices that ended, and one-time secrets that expired, are removed. */
  requestsKeptDays: days(),
  /**
   * Days after which discoveries that ended are removed, with what they found; null: never. The last one of those that
   * ask for the same stays, and so does what came into the inventory.
   */
  discoveriesKeptDays: days().nullable(),
  /** Days that the history of certificates is kept; null: for good. */
  certificateHistoryKeptDays: days().nullable(),
  /** Days that the history of keys is kept; null: for good. */
  keyEventsKeptDays: days().nullable(),
  /** Days that audit records are kept; null: for good. Their seals stay, and verification knows what was removed. */
  auditRecordsKeptDays: days().nullable(),
};

export const RetentionSettings = z.object({ ...kept, ...keptSince }).meta({ id: 'RetentionSettings' });
export type RetentionSettings = z.output<typeof RetentionSettings>;

/** What an earlier version did not have may be left out, and stays as it is. */
export const RetentionSettingsUpdate = z
  .object({ ...kept, ...z.object(keptSince).partial().shape })
  .meta({ id: 'RetentionSettingsUpdate' });
export type RetentionSettingsUpdate = z.output<typeof RetentionSettingsUpdate>;

export const retentionOperations = operations(
  { tag: 'Settings', resource: 'settings', module: 'core', errors: plainErrors },
  {
    getRetentionSettings: {
      route: 'GET /x/v1/settings/retention',
      summary: 'Get retention periods',
      answer: RetentionSettings,
      access: { action: 'detail' },
    },
    setRetentionSettings: {
      route: 'PUT /x/v1/settings/retention',
      summary: 'Set retention periods',
      body: RetentionSettingsUpdate,
      answer: RetentionSettings,
      access: { action: 'update' },
      audit: { module: 'core', resource: 'settings', operation: 'update' },
    },
  },
);
