// When certificates expire: a bar for each week of the coming year, with a link to the certificates of that week.
import { Text } from '@mantine/core';
import type { CertificateSeriesEntry } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatDate, formatMonth } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { Panel } from '../../ui/panel.tsx';
import { endedBefore, endsFrom, inState, listOf } from '../certificates/filters.ts';
import { expiringQuery } from '../../queries/statistics.ts';
import classes from './start.module.css';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Weeks that are highlighted: what expires in them should be renewed now. */
const NEAR_WEEKS = 4;

export function ExpiryTimeline() {
  return (
    <Panel title="Certificates expiring in the coming year">
      <Reading of={useQuery(expiringQuery)} what="the timeline">
        {(weeks) => <Weeks weeks={weeks} />}
      </Reading>
    </Panel>
  );
}

function Weeks({ weeks }: { readonly weeks: readonly CertificateSeriesEntry[] }) {
  const most = Math.max(...weeks.map(({ certificates }) => certificates));
  if (most <= 0)
    return (
      <Text c="dimmed" size="sm">
        No certificate in use expires within a year.
      </Text>
    );
  return (
    <>
      <ol className={classes.weeks} aria-label="Certificates by the week in which they expire">
        {weeks.map(({ from, certificates }, place) => (
          <li key={from} className={classes.week} data-near={place < NEAR_WEEKS || undefined}>
            {certificates > 0 && (
              <Link
                to={paths.certificates.list}
                search={searchOf(from) as never}
                className={classes.bar}
                style={{ height: `${Math.max(4, (certificates / most) * 100)}%` }}
                aria-label={wordsOf({ from, certificates })}
                title={wordsOf({ from, certificates })}
              />
            )}
          </li>
        ))}
      </ol>
      <div className={classes.axis} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75].map((part) => (
          <span key={part}>{formatMonth(weeks[Math.floor(part * weeks.length)]?.from ?? '')}</span>
        ))}
      </div>
      <p className={classes.legend}>
        <span className={classes.nearSign} aria-hidden="true" />
        Left of the dashed line: the next {NEAR_WEEKS} weeks. These certificates should be renewed now.
      </p>
    </>
  );
}

const wordsOf = ({ from, certificates }: CertificateSeriesEntry): string =>
  `${formatCount(certificates)} ${certificates === 1 ? 'certificate expires' : 'certificates expire'} in the week of ${formatDate(from)}`;

function searchOf(from: string) {
  const start = new Date(`${from}T00:00:00Z`);
  const end = new Date(start.getTime() + WEEK_MS);
  return listOf([inState('issued'), endsFrom(start), endedBefore(end)], 'notAfter');
}
