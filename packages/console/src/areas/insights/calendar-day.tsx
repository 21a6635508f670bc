// A day of the expiry calendar, and keyboard navigation between days.
import { Link } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import { DAY_MS, formatUtcDate } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { searchExpiring, type CalendarDay } from './calendar-days.ts';
import classes from './calendar.module.css';
import { formatCertificateCount } from './count-link.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

export interface DayKeys {
  /** The day that is in the tab order; undefined if no certificates expire. */
  readonly reached: string | undefined;
  readonly reach: (day: string) => void;
  /** Key handler for the element that contains the days. */
  readonly move: (event: KeyboardEvent<HTMLElement>) => void;
}

/** Arrow keys move to the nearest day in that direction on which certificates expire. */
export function useDayKeys(days: readonly CalendarDay[]): DayKeys {
  const ending = days.filter(({ certificates }) => certificates > 0);
  const [current, setCurrent] = useState<string>();
  const reached = ending.some(({ day }) => day === current) ? current : ending[0]?.day;
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
  return { reached, reach: setCurrent, move };
}

/** Visual mark for the validity period that ends on this day. Screen readers read it from the day's label instead. */
export const DayMark = ({ day: { validity } }: { readonly day: CalendarDay }) =>
  validity === undefined ? null : (
    <span className={classes.validity} aria-hidden="true">
      {validity}
    </span>
  );

export interface DayLinkProps {
  readonly day: CalendarDay;
  readonly isReached: boolean;
  readonly includeArchived: boolean;
  readonly onReach: (day: string) => void;
  /** Whether there is space to show the number of certificates. */
  readonly isLarge?: boolean;
}

export function DayLink(props: DayLinkProps) {
  const {
    day: { day, certificates, validity, shade },
    isReached,
    includeArchived,
    onReach,
    isLarge = false,
  } = props;
  const number = Number(day.slice(8));
  const mark = validity === undefined ? '' : `; a ${validity}-day certificate issued today expires on this day`;
  const words = `${formatUtcDate(day)}: ${formatCertificateCount(certificates)}${mark}`;
  const looks = {
    'data-marked': validity !== undefined || undefined,
    'data-large': isLarge || undefined,
    title: words,
  };
  if (certificates === 0)
    return (
      <span className={classes.day} {...looks}>
        <span>{number}</span>
      </span>
    );
  return (
    <Link
      to={paths.certificates.list}
      search={searchExpiring(day, 1, includeArchived) as never}
      className={classes.day}
      data-day={day}
      data-shade={shade}
      tabIndex={isReached ? 0 : -1}
      onFocus={() => onReach(day)}
      aria-label={words}
      {...looks}
    >
      <span>{number}</span>
      {isLarge && <span className={classes.ending}>{formatCount(certificates)}</span>}
    </Link>
  );
}
