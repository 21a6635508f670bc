// When certificates end, day by day for a year, with marks for the validities that certificates will soon have. The
// arrow keys move from day to day.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import { DAY_MS, formatUtcDate, formatUtcMonth } from '../../format/dates.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { expiringQuery } from '../../queries/statistics.ts';
import { endingIn, monthsOf, VALIDITIES, type CalendarDay, type CalendarMonth } from './calendar-days.ts';
import classes from './calendar.module.css';
import { certificatesOf, CountLink } from './count-link.tsx';
import { FigurePanel } from './figure-panel.tsx';

interface Props {
  readonly includeArchived: boolean;
}

export function ExpiryCalendar({ includeArchived }: Props) {
  return (
    <Reading of={useQuery(expiringQuery(includeArchived))} what="the calendar" inPanel>
      {(entries) => <Calendar months={monthsOf(entries)} includeArchived={includeArchived} />}
    </Reading>
  );
}

function Calendar({ months, includeArchived }: Props & { readonly months: readonly CalendarMonth[] }) {
  const days = months.flatMap((month) => month.days);
  return (
    <FigurePanel
      title="Certificates that end, day by day"
      description="Issued certificates by the day on which they end, for a year from today. Days are in UTC."
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
              search={endingIn(day, 1, includeArchived)}
              what={`end on ${formatUtcDate(day)}`}
            />
          ),
        },
      ]}
      chart={
        <>
          <Marks days={days} includeArchived={includeArchived} />
          <Months months={months} includeArchived={includeArchived} />
        </>
      }
    />
  );
}

/** How many end within each of the coming validities. */
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
                search={endingIn(today, validity.days, includeArchived)}
                what={`end within ${validity.days} days`}
              />{' '}
              end before {formatUtcDate(days[validity.days]?.day ?? today)}
            </span>
            <Text span size="xs" c="dimmed">
              the longest validity of public TLS certificates from {formatUtcDate(validity.since)} on
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function Months({ months, includeArchived }: Props & { readonly months: readonly CalendarMonth[] }) {
  const ending = months.flatMap(({ days }) => days).filter(({ certificates }) => certificates > 0);
  const [current, setCurrent] = useState<string>();
  const reached = ending.some(({ day }) => day === current) ? current : ending[0]?.day;
  /** To the nearest day in this direction on which something ends. */
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEPS[event.key];
    if (step === undefined || reached === undefined) return;
    event.preventDefault();
    const wanted = new Date(Date.parse(reached) + step * DAY_MS).toISOString().slice(0, 10);
    const next = step > 0 ? ending.find(({ day }) => day >= wanted) : ending.findLast(({ day }) => day <= wanted);
    if (!next) return;
    setCurrent(next.day);
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${next.day}"]`)?.focus();
  };
  if (ending.length === 0)
    return (
      <Text c="dimmed" size="sm">
        No certificate ends within a year.
      </Text>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the days are links, keys move between them
    <div className={classes.months} onKeyDown={move}>
      {months.map((month) => (
        <section key={month.month} aria-label={`${formatUtcMonth(month.month)}: ${certificatesOf(month.certificates)}`}>
          <div className={classes.head}>
            <h3>{formatUtcMonth(month.month)}</h3>
            <CountLink
              count={month.certificates}
              search={endingIn(month.days[0]?.day ?? month.month, month.days.length, includeArchived)}
              what={`end in ${formatUtcMonth(month.month)}`}
            />
          </div>
          <ol className={classes.days}>
            {month.days.map((day, place) => (
              <li key={day.day} style={place === 0 ? { gridColumnStart: month.offset + 1 } : undefined}>
                {day.validity !== undefined && (
                  <span className={classes.validity} aria-hidden="true">
                    {day.validity}
                  </span>
                )}
                <Day day={day} isReached={day.day === reached} includeArchived={includeArchived} onReach={setCurrent} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface DayProps extends Props {
  readonly day: CalendarDay;
  /** The one that Tab comes to. */
  readonly isReached: boolean;
  readonly onReach: (day: string) => void;
}

function Day({ day: { day, certificates, validity, shade }, isReached, includeArchived, onReach }: DayProps) {
  const number = Number(day.slice(8));
  const mark = validity === undefined ? '' : `; a certificate of ${validity} days issued today ends on this day`;
  const words = `${formatUtcDate(day)}: ${certificatesOf(certificates)}${mark}`;
  if (certificates === 0)
    return (
      <span className={classes.day} data-marked={validity !== undefined || undefined} title={words}>
        {number}
      </span>
    );
  return (
    <Link
      to={paths.certificates.list}
      search={endingIn(day, 1, includeArchived) as never}
      className={classes.day}
      data-day={day}
      data-shade={shade}
      data-marked={validity !== undefined || undefined}
      tabIndex={isReached ? 0 : -1}
      onFocus={() => onReach(day)}
      aria-label={words}
      title={words}
    >
      {number}
    </Link>
  );
}
