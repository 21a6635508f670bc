// Certificate expirations by day, for a year or a month, with marks for upcoming maximum validity periods. The arrow
// keys move between days.
import { Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { formatUtcDate, formatUtcMonth } from '../../format/dates.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useSearchChange } from '../../kit/use-list-search.ts';
import { expiringQuery } from '../../queries/statistics.ts';
import { DayLink, DayMark, useDayKeys } from './calendar-day.tsx';
import { searchExpiring, keyOf, monthsOf, VALIDITIES, type CalendarDay, type CalendarMonth } from './calendar-days.ts';
import { Month } from './calendar-month.tsx';
import classes from './calendar.module.css';
import { formatCertificateCount, CountLink } from './count-link.tsx';
import { FigurePanel } from './figure-panel.tsx';
import type { InsightsSearch } from './insights-search.ts';

interface Props {
  readonly includeArchived: boolean;
}

export function ExpiryCalendar({ includeArchived }: Props) {
  return (
    <QueryView of={useQuery(expiringQuery(includeArchived))} what="the calendar" inPanel>
      {(entries) => <Calendar months={monthsOf(entries)} includeArchived={includeArchived} />}
    </QueryView>
  );
}

function Calendar({ months, includeArchived }: Props & { readonly months: readonly CalendarMonth[] }) {
  const { month: chosen }: InsightsSearch = useSearch({ strict: false });
  const change = useSearchChange<InsightsSearch>();
  const days = months.flatMap((month) => month.days);
  const shown = chosen === undefined ? undefined : (months.find((each) => keyOf(each) === chosen) ?? months[0]);
  return (
    <FigurePanel
      title="Expirations by day"
      description="Issued certificates by expiry date, for one year from today. Days are in UTC."
      rows={days.filter(({ certificates }) => certificates > 0)}
      keyOf={({ day }) => day}
      columns={[
        { key: 'day', title: 'Day', cell: ({ day }) => formatUtcDate(day) },
        {
          key: 'certificates',
          title: 'Certificates',
          align: 'right',
          cell: ({ day, certificates }) => (
            <CountLink
              count={certificates}
              search={searchExpiring(day, 1, includeArchived)}
              what={`expiring on ${formatUtcDate(day)}`}
            />
          ),
        },
      ]}
      chart={
        <>
          <Marks days={days} includeArchived={includeArchived} />
          <Group justify="space-between" mb="md">
            <SegmentedControl
              aria-label="Calendar view"
              data={[
                { value: 'year', label: 'Year' },
                { value: 'month', label: 'Month' },
              ]}
              value={shown ? 'month' : 'year'}
              onChange={(view) => change({ month: view === 'month' ? months[0] && keyOf(months[0]) : undefined })}
            />
          </Group>
          {shown ? (
            <Month
              months={months}
              place={months.indexOf(shown)}
              includeArchived={includeArchived}
              onMonth={(next) => change({ month: keyOf(next) })}
            />
          ) : (
            <Months months={months} includeArchived={includeArchived} />
          )}
        </>
      }
    />
  );
}

/** Shows how many certificates expire within each of the upcoming maximum validity periods. */
function Marks({ days, includeArchived }: Props & { readonly days: readonly CalendarDay[] }) {
  const today = days[0]?.day;
  if (today === undefined) return null;
  return (
    <ul className={classes.marks}>
      {VALIDITIES.map((validity) => {
        const count = days.slice(0, validity.days).reduce((sum, { certificates }) => sum + certificates, 0);
        return (
          <li key={validity.days}>
            <span className={classes.mark}>{validity.days} days</span>
            <span>
              <CountLink
                count={count}
                search={searchExpiring(today, validity.days, includeArchived)}
                what={`expiring within ${validity.days} days`}
              />{' '}
              expire before {formatUtcDate(days[validity.days]?.day ?? today)}
            </span>
            <Text span size="xs" c="dimmed">
              maximum validity of public TLS certificates from {formatUtcDate(validity.since)} onward
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

function Months({ months, includeArchived }: Props & { readonly months: readonly CalendarMonth[] }) {
  const { reached, reach, move } = useDayKeys(months.flatMap(({ days }) => days));
  if (reached === undefined)
    return (
      <Text c="dimmed" size="sm">
        No certificates expire within a year.
      </Text>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the days are links, keys move between them
    <div className={classes.months} onKeyDown={move}>
      {months.map((month) => (
        <section
          key={month.month}
          aria-label={`${formatUtcMonth(month.month)}: ${formatCertificateCount(month.certificates)}`}
        >
          <div className={classes.head}>
            <h3>
              <Link
                to={paths.insights}
                search={{ month: keyOf(month), ...(includeArchived && { includeArchived }) } as never}
                resetScroll={false}
                className={classes.toMonth}
              >
                {formatUtcMonth(month.month)}
              </Link>
            </h3>
            <CountLink
              count={month.certificates}
              search={searchExpiring(month.days[0]?.day ?? month.month, month.days.length, includeArchived)}
              what={`expiring in ${formatUtcMonth(month.month)}`}
            />
          </div>
          <ol className={classes.days}>
            {month.days.map((day, place) => (
              <li key={day.day} style={place === 0 ? { gridColumnStart: month.offset + 1 } : undefined}>
                <DayMark day={day} />
                <DayLink day={day} isReached={day.day === reached} includeArchived={includeArchived} onReach={reach} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
