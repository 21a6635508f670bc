// When certificates expire, as bars: what has expired, the coming year in steps, and what expires later. Each bar leads
// to its certificates. On narrow screens the bars lie below each other.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { certificateCountQuery } from '../../queries/certificates.ts';
import { expiringQuery } from '../../queries/statistics.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { EXPIRES_SOON_DAYS } from '../certificates/expires-soon.ts';
import { expiredBefore, laterThan, periodsOf, startOfDay, wordsOf, type Period } from './expiry-periods.ts';
import classes from './expiry-timeline.module.css';

export function ExpiryTimeline() {
  const today = startOfDay(Date.now());
  const { data: expired = 0 } = useQuery(certificateCountQuery(expiredBefore(today)));
  const { data: later = 0 } = useQuery(certificateCountQuery(laterThan(today)));
  return (
    <Panel title="When certificates expire">
      <Reading of={useQuery(expiringQuery)} what="the timeline">
        {(days) => <Periods periods={periodsOf(days, today, { expired, later })} />}
      </Reading>
    </Panel>
  );
}

function Periods({ periods }: { readonly periods: readonly Period[] }) {
  const most = Math.max(...periods.map(({ certificates }) => certificates));
  if (most === 0)
    return (
      <Text c="dimmed" size="sm">
        There is no certificate in use.
      </Text>
    );
  return (
    <>
      <ol
        className={classes.periods}
        aria-label={`Certificates by when they expire, in steps of ${EXPIRES_SOON_DAYS} days`}
      >
        {periods.map((period) => (
          <li key={period.label} className={classes.period} data-tone={period.tone}>
            <Bar period={period} share={period.certificates / most} />
            <span className={classes.label}>{period.label}</span>
          </li>
        ))}
      </ol>
      <div className={classes.legend}>
        <State tone="bad">Expired</State>
        <State tone="warn">{`Within ${EXPIRES_SOON_DAYS} days: renew now`}</State>
        <State tone="good">Later</State>
        <Text span size="xs" c="dimmed">
          Dates are the first day of each step.
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
      aria-label={wordsOf(period)}
      title={wordsOf(period)}
    >
      <span className={classes.count}>{formatCount(certificates)}</span>
      <span className={classes.fill} style={shareOf(share)} />
    </Link>
  );
}

/** A property of our own, which the type of styles does not know. */
const shareOf = (share: number): CSSProperties => ({ '--share': share }) as CSSProperties;
