// Retention periods for historical data. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';

const MAX_KEPT_DAYS = 3_650;

/** From 1 day to 10 years. */
const days = () => int32().min(1).max(MAX_KEPT_DAYS);

const kept = {
  /** Days for which events are retained for consumers, or longer if part of the platform has not processed them yet. */
  eventsKeptDays: days(),
  /** Days for which trigger evaluations and their results are retained. */
  evaluationsKeptDays: days(),
  /** Days after which completed notification deliveries are removed. */
  deliveriesKeptDays: days(),
  /** Days after which users' notifications are removed, whether read or not. */
  notificationsKeptDays: days(),
};

const keptSince = {
  /** Days after which completed runs of scheduled jobs are removed; the last run of each job is retained. */
  jobRunsKeptDays: days(),
  /** Days after which completed enrollment requests and expired one-time secrets are removed. */
  requestsKeptDays: days(),
  /**
   * Days after which completed discoveries and their results are removed; null: never. The last discovery with each set
   * of parameters is retained, as are certificates added to the inventory.
   */
  discoveriesKeptDays: days().nullable(),
  /** Days for which certificate history is retained; null: indefinitely. */
  certificateHistoryKeptDays: days().nullable(),
  /** Days for which key history is retained; null: indefinitely. */
  keyEventsKeptDays: days().nullable(),
  /**
   * Days for which audit records are retained; null: indefinitely. Their seals are retained, and verification accounts
   * for removed records.
   */
  auditRecordsKeptDays: days().nullable(),
};

export const RetentionSettings = z.object({ ...kept, ...keptSince }).meta({ id: 'RetentionSettings' });
export type RetentionSettings = z.output<typeof RetentionSettings>;

/** Settings that were added in a later version can be omitted and are then unchanged. */
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
