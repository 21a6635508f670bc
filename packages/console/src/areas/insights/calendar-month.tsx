// One month of the expiry calendar, with the number of certificates that expire on each day. Page Up and Page Down
// change the month.
import { ActionIcon, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { DAY_MS, formatUtcMonth, formatUtcWeekday } from '../../format/dates.ts';
import { DayLink, DayMark, useDayKeys } from './calendar-day.tsx';
import { searchExpiring, type CalendarMonth } from './calendar-days.ts';
import classes from './calendar.module.css';
import { formatCertificateCount, CountLink } from './count-link.tsx';

export interface MonthProps {
  readonly months: readonly CalendarMonth[];
  /** Index of the month that is shown. */
  readonly place: number;
  readonly includeArchived: boolean;
  readonly onMonth: (month: CalendarMonth) => void;
}

/** Weekday names in the user's language; January 1, 2024 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => formatUtcWeekday(new Date(Date.UTC(2024, 0, 1) + day * DAY_MS)));

const MONTH_KEYS: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

export function Month({ months, place, includeArchived, onMonth }: MonthProps) {
  const month = months[place];
  const { reached, reach, move } = useDayKeys(month?.days ?? []);
  const grid = useRef<HTMLDivElement>(null);
  const followsKeys = useRef(false);
  useEffect(() => {
    if (!followsKeys.current) return;
    followsKeys.current = false;
    (grid.current?.querySelector<HTMLElement>('[data-day]') ?? grid.current)?.focus();
  }, [place]);
  if (!month) return null;
  const name = formatUtcMonth(month.month);
  const step = (event: KeyboardEvent<HTMLElement>): void => {
    const next = months[place + (MONTH_KEYS[event.key] ?? 0)];
    if (MONTH_KEYS[event.key] === undefined || !next) return move(event);
    event.preventDefault();
    followsKeys.current = true;
    onMonth(next);
  };
  return (
    <section aria-label={`${name}: ${formatCertificateCount(month.certificates)}`}>
      <div className={classes.monthHead}>
        <MonthButton label="Previous month" to={months[place - 1]} onMonth={onMonth} />
        <h3 aria-live="polite">{name}</h3>
        <MonthButton label="Next month" to={months[place + 1]} onMonth={onMonth} />
        <span className={classes.monthCount}>
          <CountLink
            count={month.certificates}
            search={searchExpiring(month.days[0]?.day ?? month.month, month.days.length, includeArchived)}
            what={`expiring in ${name}`}
          />{' '}
          {month.certificates === 1 ? 'ends' : 'end'}
        </span>
      </div>
      <div className={classes.weekdays} aria-hidden="true">
        {WEEKDAYS.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the days in it are links, keys move */}
      <div ref={grid} tabIndex={-1} className={classes.grid} onKeyDown={step}>
        <ol className={classes.days}>
          {month.days.map((day, first) => (
            <li key={day.day} style={first === 0 ? { gridColumnStart: month.offset + 1 } : undefined}>
              <DayMark day={day} />
              <DayLink
                day={day}
                isReached={day.day === reached}
                includeArchived={includeArchived}
                onReach={reach}
                isLarge
              />
            </li>
          ))}
        </ol>
      </div>
      {month.certificates === 0 && (
        <Text c="dimmed" size="sm" mt="md">
          No certificates expire in {name}.
        </Text>
      )}
    </section>
  );
}

interface MonthButtonProps extends Pick<MonthProps, 'onMonth'> {
  readonly label: 'Previous month' | 'Next month';
  readonly to: CalendarMonth | undefined;
}

const MonthButton = ({ label, to, onMonth }: MonthButtonProps) => (
  <ActionIcon variant="default" size="lg" aria-label={label} disabled={!to} onClick={() => to && onMonth(to)}>
    {label === 'Next month' ? (
      <IconChevronRight size={17} aria-hidden="true" />
    ) : (
      <IconChevronLeft size={17} aria-hidden="true" />
    )}
  </ActionIcon>
);
