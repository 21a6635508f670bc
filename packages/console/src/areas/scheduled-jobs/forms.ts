// Common schedule patterns, so that users do not need to know cron: their form fields and the resulting cron
// expression. Times are in the platform's time zone.

export const FORMS = ['hour', 'day', 'week', 'month', 'other'] as const;
export type ScheduleForm = (typeof FORMS)[number];

/** Fields of all schedule patterns, so that entered values are kept when the user selects a different pattern. */
export interface ScheduleValues {
  readonly form: ScheduleForm;
  /** Minute past the hour, for hourly schedules. */
  readonly minute: number;
  /** `HH:MM`. */
  readonly time: string;
  /** Days of the week, as cron abbreviations. */
  readonly days: readonly Day[];
  /** Day of the month. `L` stands for the last day. */
  readonly dayOfMonth: string;
  readonly expression: string;
}

export const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Day = (typeof DAYS)[number];

export const dayNames: Readonly<Record<Day, string>> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
};

export const DAYS_OF_MONTH: readonly string[] = [...Array.from({ length: 28 }, (_, index) => String(index + 1)), 'L'];

/** Default schedule: at night, when connectors are least busy. */
export const initialSchedule: ScheduleValues = {
  form: 'day',
  minute: 0,
  time: '02:00',
  days: ['MON'],
  dayOfMonth: '1',
  expression: '',
};

/** Returns the cron expression, or an empty string if a required field is missing. */
export function expressionOf({ form, minute, time, days, dayOfMonth, expression }: ScheduleValues): string {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  if (form === 'other') return expression.trim();
  if (form === 'hour') return `0 ${minute} * * * ?`;
  if (hours === undefined) return '';
  const at = `0 ${Number(minutes)} ${Number(hours)}`;
  switch (form) {
    case 'day':
      return `${at} * * ?`;
    case 'week':
      return days.length === 0 ? '' : `${at} ? * ${DAYS.filter((day) => days.includes(day)).join(',')}`;
    case 'month':
      return `${at} ${dayOfMonth} * ?`;
  }
}

const PLAIN = /^0 (\d{1,2}) (\*|\d{1,2}) (\*|\?|L|\d{1,2}) \* (\?|\*|[A-Z,]+)$/;

/** Returns the form values for a cron expression. The form is `other` if no common pattern matches. */
export function readExpression(expression: string): ScheduleValues {
  const other: ScheduleValues = { ...initialSchedule, form: 'other', expression };
  const [, minutes = '', hours = '', dayOfMonth = '', dayOfWeek = ''] = PLAIN.exec(expression.trim()) ?? [];
  if (minutes === '' || Number(minutes) > 59 || Number(hours) > 23) return other;
  const time = `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
  const isEveryDay = /^[*?]$/.test(dayOfMonth) && /^[*?]$/.test(dayOfWeek);
  if (hours === '*') return isEveryDay ? { ...other, form: 'hour', minute: Number(minutes) } : other;
  if (isEveryDay) return { ...other, form: 'day', time };
  if (/^[*?]$/.test(dayOfMonth)) {
    const days = dayOfWeek.split(',').filter((day): day is Day => (DAYS as readonly string[]).includes(day));
    return days.length === dayOfWeek.split(',').length ? { ...other, form: 'week', time, days } : other;
  }
  return DAYS_OF_MONTH.includes(dayOfMonth) && /^[*?]$/.test(dayOfWeek)
    ? { ...other, form: 'month', time, dayOfMonth }
    : other;
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns text such as `Every day at 02:00`, or the expression itself if no common pattern matches. */
export function describeSchedule(text: string): string {
  const { form, minute, time, days, dayOfMonth, expression } = readExpression(text);
  switch (form) {
    case 'hour':
      return minute === 0 ? 'Every hour' : `Every hour at minute ${minute}`;
    case 'day':
      return `Every day at ${time}`;
    case 'week':
      return `Every ${list.format(DAYS.filter((day) => days.includes(day)).map((day) => dayNames[day]))} at ${time}`;
    case 'month':
      return `${describeDayOfMonth(dayOfMonth)} of every month at ${time}`;
    case 'other':
      return expression;
  }
}

export const describeDayOfMonth = (day: string): string => (day === 'L' ? 'The last day' : `Day ${day}`);
