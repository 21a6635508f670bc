// Bar chart of certificates by expiry: expired, the coming year in steps, and later. Each bar links to its
// certificates. On narrow screens, the bars are arranged vertically.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { certificateCountQuery } from '../../queries/certificates.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { expiringQuery } from '../../queries/statistics.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { EXPIRES_SOON_DAYS } from '../certificates/expires-soon.ts';
import { withArchive } from '../certificates/filters.ts';
import { periodsOf, supplementarySearches, describePeriod, type Period } from './expiry-periods.ts';
import classes from './expiry-timeline.module.css';

export function ExpiryTimeline({ includeArchived }: { readonly includeArchived: boolean }) {
  return (
    <Panel title="Certificates by expiry">
      <QueryView of={usePeriods(includeArchived)} what="the timeline">
        {(periods) => <Periods periods={periods} />}
      </QueryView>
    </Panel>
  );
}

/** Returns no data until all counts are loaded, so that bars do not change size. */
function usePeriods(includeArchived: boolean): QueryLike<readonly Period[]> {
  const days = useQuery(expiringQuery(includeArchived));
  const countOf = (search: CertificateSearch) => certificateCountQuery(withArchive(search, includeArchived));
  // The partial days are relative to the time of the daily counts, so they are refetched only together with them.
  const now = new Date(days.dataUpdatedAt);
  const enabled = days.data !== undefined;
  const searches = supplementarySearches(now);
  const expired = useQuery(countOf(searches.expired));
  const later = useQuery({ ...countOf(searches.later), enabled });
  const endedToday = useQuery({ ...countOf(searches.endedToday), enabled });
  const soonOnLastDay = useQuery({ ...countOf(searches.soonOnLastDay), enabled });
  const all = [days, expired, later, endedToday, soonOnLastDay];
  const beyond = {
    expired: expired.data ?? 0,
    later: later.data ?? 0,
    endedToday: endedToday.data ?? 0,
    soonOnLastDay: soonOnLastDay.data ?? 0,
  };
  return {
    data:
      days.data && all.every(({ data }) => data !== undefined)
        ? periodsOf(days.data, now, beyond).map((period) => ({
            ...period,
            search: withArchive(period.search, includeArchived),
          }))
        : undefined,
    error: all.find(({ error }) => error !== null)?.error,
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  };
}

function Periods({ periods }: { readonly periods: readonly Period[] }) {
  const most = Math.max(...periods.map(({ certificates }) => certificates));
  if (most === 0)
    return (
      <Text c="dimmed" size="sm">
        No active certificates
      </Text>
    );
  return (
    <>
      <ol className={classes.periods} aria-label={`Certificates by expiry, in steps of ${EXPIRES_SOON_DAYS} days`}>
        {periods.map((period) => (
          <li key={period.label} className={classes.period} data-tone={period.tone}>
            <Bar period={period} share={period.certificates / most} />
            <span className={classes.label}>{period.label}</span>
          </li>
        ))}
      </ol>
      <div className={classes.legend}>
        <State tone="bad">Expired</State>
        <State tone="warn">{`Expires within ${EXPIRES_SOON_DAYS} days`}</State>
        <State tone="good">Later</State>
        <Text span size="xs" c="dimmed">
          Dates are the first day of each period.
        </Text>
      </div>
    </>
  );
}

function Bar({ period, share }: { readonly period: Period; readonly share: number }) {
  const { certificates, search } = period;
  if (certificates === 0) return <span className={classes.none}>0</span>;
  return (
    <Link
      to={paths.certificates.list}
      search={search as never}
      className={classes.bar}
      aria-label={describePeriod(period)}
      title={describePeriod(period)}
    >
      <span className={classes.count}>{formatCount(certificates)}</span>
      <span className={classes.fill} style={shareOf(share)} />
    </Link>
  );
}

/** The cast is needed because the type does not include custom CSS properties. */
const shareOf = (share: number): CSSProperties => ({ '--share': share }) as CSSProperties;
