// Simulates a different validity period. The inventory is read once, in pages, and replayed. Results include only
// certificates that the caller can list.
import {
  MAX_SIMULATED_SHARES,
  type SimulatedApproval,
  type SimulatedShare,
  type RenewalSimulation,
  type RenewalSimulationRequest,
  type RenewalWay,
  type UnattendedReason,
} from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { acquireSlot } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import { visibleCertificates } from '../certificates/index.ts';
import { findGroupNames } from '../groups/index.ts';
import { lifetimeAfter, replay, windowOf, type Horizon } from './replay.ts';
import { findWaits, type ApprovalWait } from './store-approvals.ts';
import { findReplayed, type ReplayedRow } from './store-ways.ts';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
const HOUR_S = 3_600;
/** Number of certificates read per query. Other queries can run between pages. */
const PAGE = 10_000;
const NO_UUID = '00000000-0000-0000-0000-000000000000';
/** Number of days over which past approvals are evaluated. */
const MEASURED_DAYS = 365;

export interface SimulationParts {
  readonly isPaused: () => Promise<boolean>;
}

interface Tally {
  certificates: number;
  readonly perDay: Int32Array;
}

interface Profile {
  certificates: number;
  /** Renewal window for the shortest validity period among its certificates, in seconds. */
  window: number;
}

/** Counters updated while the inventory is read. */
interface Counts {
  readonly all: Tally;
  readonly now: Tally;
  readonly ways: Map<RenewalWay, Tally>;
  readonly authorities: Map<string, Tally>;
  readonly authorityNames: Map<string, string>;
  readonly groups: Map<string, Tally>;
  readonly unattended: Map<UnattendedReason, Tally>;
  readonly raProfiles: Map<string, Profile>;
}

export function createSimulation({ database, clock }: Platform, { isPaused }: SimulationParts) {
  return async function simulate(
    request: Omit<RenewalSimulationRequest, 'days'> & { readonly days: number },
    context: RequestContext,
  ): Promise<RenewalSimulation> {
    const now = clock.now();
    const from = request.from ?? dayOf(now);
    if (Number.isNaN(Date.parse(from)))
      throw new AppError('invalid_fields', { problems: ['from: must be an existing date'] });
    const horizon: Horizon = {
      now: now.getTime() / 1_000,
      firstDay: Date.parse(dayOf(now)) / 1_000,
      days: request.days,
      from: Date.parse(from) / 1_000,
      lifetime: request.lifetimeDays * DAY_S,
    };
    const query = { now, visible: visibleCertificates(context, 'list'), paused: await isPaused(), limit: PAGE };
    const shortened = request.authorityUuids && new Set(request.authorityUuids.map((uuid) => uuid.toLowerCase()));
    const counts = emptyCounts(request.days);
    const leave = await acquireSlot(database);
    try {
      for (let after: string | undefined = NO_UUID; after !== undefined;) {
        context.signal.throwIfAborted();
        const rows: readonly ReplayedRow[] = await findReplayed(database.executor, { ...query, after });
        for (const row of rows) count(counts, row, { horizon, isShortened: isSelected(row, shortened) });
        after = rows.length < PAGE ? undefined : rows.at(-1)?.uuid;
      }
    } finally {
      leave();
    }
    const since = new Date(now.getTime() - MEASURED_DAYS * DAY_MS);
    const waits = await findWaits(database.executor, { raProfileUuids: [...counts.raProfiles.keys()], since });
    const groups = new Map(
      (await findGroupNames(database.executor, [...counts.groups.keys()])).map(({ uuid, name }) => [uuid, name]),
    );
    const canSee = (uuid: string) => isAllowed(context.actor.permissions, 'groups', 'list', [uuid]);
    return {
      countedAt: now.toISOString(),
      lifetimeDays: request.lifetimeDays,
      from,
      firstDay: dayOf(now),
      ...figuresOf(counts.all),
      renewalsNow: figuresOf(counts.now).renewals,
      perDayNow: [...counts.now.perDay],
      ways: [...counts.ways].map(([way, tally]) => ({ way, ...figuresOf(tally) })),
      authorities: sharesOf(counts.authorities, counts.authorityNames),
      groups: sharesOf(new Map([...counts.groups].filter(([uuid]) => canSee(uuid))), groups),
      unattended: [...counts.unattended].map(([reason, tally]) => ({
        reason,
        certificates: tally.certificates,
        renewals: figuresOf(tally).renewals,
      })),
      approvals: waits.flatMap((wait) => presentWait(wait, counts.raProfiles.get(wait.ra_profile_uuid))),
    };
  };
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const isSelected = ({ authority_uuid: uuid }: ReplayedRow, shortened: ReadonlySet<string> | undefined): boolean =>
  shortened === undefined || (uuid !== null && shortened.has(uuid));

function emptyCounts(days: number): Counts {
  const tally = (): Tally => ({ certificates: 0, perDay: new Int32Array(days) });
  return {
    all: tally(),
    now: tally(),
    ways: new Map(),
    authorities: new Map(),
    authorityNames: new Map(),
    groups: new Map(),
    unattended: new Map(),
    raProfiles: new Map(),
  };
}

function count(
  counts: Counts,
  row: ReplayedRow,
  { horizon, isShortened }: { readonly horizon: Horizon; readonly isShortened: boolean },
): void {
  const { days } = horizon;
  const tallies = [counts.all, tallyOf(counts.ways, row.way, days)];
  if (row.authority_uuid !== null) {
    tallies.push(tallyOf(counts.authorities, row.authority_uuid, days));
    if (row.authority_name !== null) counts.authorityNames.set(row.authority_uuid, row.authority_name);
  }
  for (const uuid of row.group_uuids ?? []) tallies.push(tallyOf(counts.groups, uuid, days));
  if (row.reason !== null) tallies.push(tallyOf(counts.unattended, row.reason, days));
  for (const tally of tallies) tally.certificates += 1;
  const certificate = {
    uuid: row.uuid,
    notBefore: row.not_before,
    notAfter: row.not_after,
    daysBefore: row.days_before,
    isShortened,
  };
  replay(certificate, horizon, {
    today: (day, renewals) => add(counts.now, day, renewals),
    shortened: (day, renewals) => {
      for (const tally of tallies) add(tally, day, renewals);
    },
  });
  if (row.ra_profile_uuid === null) return;
  const window = windowOf(lifetimeAfter(certificate, horizon), row.days_before);
  const known = counts.raProfiles.get(row.ra_profile_uuid);
  counts.raProfiles.set(row.ra_profile_uuid, {
    certificates: (known?.certificates ?? 0) + 1,
    window: Math.min(known?.window ?? window, window),
  });
}

const add = ({ perDay }: Tally, day: number, renewals: number): void => {
  perDay[day] = (perDay[day] ?? 0) + renewals;
};

function tallyOf<Key>(tallies: Map<Key, Tally>, key: Key, days: number): Tally {
  const known = tallies.get(key);
  if (known) return known;
  const tally = { certificates: 0, perDay: new Int32Array(days) };
  tallies.set(key, tally);
  return tally;
}

const figuresOf = ({ certificates, perDay }: Tally) => ({
  certificates,
  renewals: perDay.reduce((sum, renewals) => sum + renewals, 0),
  perDay: [...perDay],
});

const sharesOf = (tallies: ReadonlyMap<string, Tally>, names: ReadonlyMap<string, string>): SimulatedShare[] =>
  [...tallies]
    .flatMap(([uuid, tally]) => {
      const name = names.get(uuid);
      return name === undefined ? [] : [{ uuid, name, ...figuresOf(tally) }];
    })
    .toSorted((one, other) => other.renewals - one.renewals || one.name.localeCompare(other.name))
    .slice(0, MAX_SIMULATED_SHARES);

function presentWait(wait: ApprovalWait, profile: Profile | undefined): SimulatedApproval[] {
  if (!profile) return [];
  const windowHours = profile.window / HOUR_S;
  const { median_hours: medianHours, slow_hours: slowHours } = wait;
  return [
    {
      raProfileUuid: wait.ra_profile_uuid,
      raProfileName: wait.ra_profile_name,
      approvalProfileName: wait.approval_profile_name,
      certificates: profile.certificates,
      windowHours,
      expiryHours: wait.expiry_hours,
      ...(medianHours === null || slowHours === null
        ? {}
        : { measured: { approvals: wait.approvals, medianHours, slowHours } }),
      verdict:
        slowHours !== null && slowHours > windowHours
          ? 'takesLonger'
          : wait.expiry_hours > windowHours
            ? 'mayTakeLonger'
            : 'fits',
    },
  ];
}
