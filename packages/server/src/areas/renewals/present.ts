// Presents renewals in the API format.
import type { AutomaticRenewal, AutomaticRenewalAttempt, AutomaticRenewalWait } from '@signetry/contract';
import type { ListedRenewal } from './store-list.ts';
import type { AttemptRow } from './tables.ts';

interface Moment {
  readonly now: Date;
  /** Whether automatic renewal is paused for the whole platform. */
  readonly paused: boolean;
}

export const presentRenewal = (row: ListedRenewal, moment: Moment): AutomaticRenewal => ({
  certificateUuid: row.certificate_uuid,
  commonName: row.common_name,
  notAfter: row.not_after.toISOString(),
  way: row.location_uuid === null ? 'token' : 'location',
  ...(row.entity_uuid === null ? {} : { entityUuid: row.entity_uuid }),
  ...(row.location_uuid === null ? {} : { locationUuid: row.location_uuid }),
  ...(row.location_name === null ? {} : { locationName: row.location_name }),
  state: row.state,
  ...(row.state === 'planned' ? { waitsFor: waitOf(row, moment) } : {}),
  at: row.next_at.toISOString(),
  attempts: row.attempts,
  ...(row.problem === null ? {} : { problem: row.problem }),
  ...(row.successor_uuid === null ? {} : { successorUuid: row.successor_uuid }),
});

function waitOf(row: ListedRenewal, { now, paused }: Moment): AutomaticRenewalWait {
  if (paused || row.profile_paused) return 'pause';
  if (row.next_at <= now) return 'turn';
  return row.attempts === 0 ? 'time' : 'retry';
}

export const presentAttempt = (row: AttemptRow): AutomaticRenewalAttempt => ({
  startedAt: row.started_at.toISOString(),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  ...(row.problem === null ? {} : { problem: row.problem }),
  ...(row.successor_uuid === null ? {} : { successorUuid: row.successor_uuid }),
});
