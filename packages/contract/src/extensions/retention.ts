// How long the platform keeps what it notes down about what happened. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';

const MAX_KEPT_DAYS = 3_650;

/** Days from 1 to ten years. */
const days = () => int32().min(1).max(MAX_KEPT_DAYS);

export const RetentionSettings = z
  .object({
    /** Days that events are kept for those who follow them; longer while a part of the platform has not read them. */
    eventsKeptDays: days(),
    /** Days that it is kept what triggers were asked, and what came of it. */
    evaluationsKeptDays: days(),
    /** Days after which deliveries of notifications that ended are removed. */
    deliveriesKeptDays: days(),
    /** Days after which notifications of users are removed, read or not. */
    notificationsKeptDays: days(),
  })
  .meta({ id: 'RetentionSettings' });
export type RetentionSettings = z.output<typeof RetentionSettings>;

export const retentionOperations = operations(
  { tag: 'Settings', resource: 'settings', module: 'core', errors: plainErrors },
  {
    getRetentionSettings: {
      route: 'GET /x/v1/settings/retention',
      summary: 'Get how long events, evaluations of triggers and notifications are kept',
      answer: RetentionSettings,
      access: { action: 'detail' },
    },
    setRetentionSettings: {
      route: 'PUT /x/v1/settings/retention',
      summary: 'Set how long events, evaluations of triggers and notifications are kept',
      body: RetentionSettings,
      answer: RetentionSettings,
      access: { action: 'update' },
      audit: { module: 'core', resource: 'settings', operation: 'update' },
    },
  },
);
