// Parses Quartz cron expressions: seconds, minutes, hours, day of month, month, day of week and, optionally, years.
// https://www.quartz-scheduler.org/documentation/quartz-2.3.0/tutorials/crontrigger.html. The expressions are
// translated to croner patterns. Because croner numbers weekdays differently and rejects `0/5`, numbers, ranges and
// steps are expanded to lists.

/** Fields in the order of the expression. */
interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Value names, starting with the name for `min`. */
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const fields = {
  seconds: { name: 'seconds', min: 0, max: 59 },
  minutes: { name: 'minutes', min: 0, max: 59 },
  hours: { name: 'hours', min: 0, max: 23 },
  dayOfMonth: { name: 'day of month', min: 1, max: 31 },
  month: { name: 'month', min: 1, max: 12, names: MONTHS },
  dayOfWeek: { name: 'day of week', min: 1, max: 7, names: DAYS },
  year: { name: 'year', min: 1970, max: 2099 },
} as const satisfies Readonly<Record<string, Field>>;

const order: readonly Field[] = Object.values(fields);
const WITHOUT_YEAR = order.length - 1;

/** Problem with an expression; the message names the field. */
export class CronProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CronProblem';
  }
}

const fieldProblem = ({ name }: Field, reason: string): CronProblem => new CronProblem(`${name}: ${reason}`);

/** Returns the croner pattern, with seven fields. Throws `CronProblem`. */
export function croner(expression: string): string {
  const texts = expression.trim().toUpperCase().split(/\s+/);
  if (texts.length < WITHOUT_YEAR || texts.length > order.length) throw new CronProblem(describeFieldCount(texts));
  const [seconds = '', minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = '', year = '*'] = texts;
  assertOneDay(dayOfMonth, dayOfWeek);
  return [
    readPlain(fields.seconds, seconds),
    readPlain(fields.minutes, minutes),
    readPlain(fields.hours, hours),
    readDayOfMonth(dayOfMonth),
    readPlain(fields.month, month),
    readDayOfWeek(dayOfWeek),
    readPlain(fields.year, year),
  ].join(' ');
}

function describeFieldCount(texts: readonly string[]): string {
  const given =
    texts[0] === ''
      ? 'none were specified'
      : texts.length === 1
        ? 'one was specified'
        : `${texts.length} were specified`;
  const names = order
    .slice(0, WITHOUT_YEAR)
    .map(({ name }) => name)
    .join(', ');
  const help = texts.length === WITHOUT_YEAR - 1 ? ' The first field is seconds.' : '';
  return `A cron expression must have six fields, or seven with the year (${names}); ${given}.${help}`;
}

const isAnyDay = (text: string): boolean => text === '?' || text === '*';

/**
 * Quartz does not support restrictions in both day fields. If one field is `*` and the other one is restricted, `*` is
 * treated as `?`.
 */
function assertOneDay(dayOfMonth: string, dayOfWeek: string): void {
  if (dayOfMonth === '?' && dayOfWeek === '?')
    throw fieldProblem(fields.dayOfWeek, '? is allowed in only one of the two day fields; use * here for every day');
  if (!isAnyDay(dayOfMonth) && !isAnyDay(dayOfWeek))
    throw fieldProblem(fields.dayOfWeek, 'the day of month is also restricted; use ? in one of the two fields');
}

function readDayOfMonth(text: string): string {
  const field = fields.dayOfMonth;
  if (isAnyDay(text)) return '*';
  if (text === 'L' || text === 'LW') return text;
  const [, near] = /^(\d+)W$/.exec(text) ?? [];
  if (near !== undefined) return `${valueOf(field, near)}W`;
  if (text.startsWith('L-')) throw fieldProblem(field, `${text} is not supported; use L for the last day of the month`);
  if (/[LW]/.test(text)) throw fieldProblem(field, `${text}: L, LW and 15W cannot be combined with other days`);
  return readPlain(field, text);
}

function readDayOfWeek(text: string): string {
  const field = fields.dayOfWeek;
  if (isAnyDay(text)) return '*';
  if (text === 'L') return weekday(field.max);
  const [, last] = /^(\w+)L$/.exec(text) ?? [];
  if (last !== undefined) return `${weekday(valueOf(field, last))}#L`;
  const [, day, nth] = /^(\w+)#(\w*)$/.exec(text) ?? [];
  if (day !== undefined) {
    if (!/^[1-5]$/.test(nth ?? '')) throw fieldProblem(field, `${text}: the number after # must be between 1 and 5`);
    return `${weekday(valueOf(field, day))}#${nth}`;
  }
  if (text.includes('#')) throw fieldProblem(field, `${text}: # cannot be combined with other days`);
  return listed(
    field,
    valuesOf(field, text).map((value) => value - 1),
  );
}

/** Converts a Quartz weekday, in which Sunday is 1, to a croner weekday, in which Sunday is 0. */
const weekday = (value: number): string => String(value - 1);

function readPlain(field: Field, text: string): string {
  return listed(field, valuesOf(field, text));
}

const sizeOf = ({ min, max }: Field): number => max - min + 1;

/**
 * The full range becomes `*`, because an hour field that covers every hour must not be treated as a fixed time when
 * clocks change.
 */
const listed = (field: Field, values: readonly number[]): string => {
  const different = [...new Set(values)].toSorted((a, b) => a - b);
  return different.length === sizeOf(field) ? '*' : different.join(',');
};

const valuesOf = (field: Field, text: string): number[] =>
  text.split(',').flatMap((item) => {
    if (item === '') throw fieldProblem(field, text === '' ? 'must not be empty' : `${text} has an extra comma`);
    return valuesOfItem(field, item);
  });

/**
 * Parses `*`, a value or a range, each with an optional step. `10/5` means every fifth value starting with 10, and `/5`
 * every fifth value starting with the first.
 */
function valuesOfItem(field: Field, item: string): number[] {
  const { min, max } = field;
  const [span = '', step, ...more] = item.split('/');
  const [from = '', to, ...others] = span.split('-');
  if (more.length > 0 || others.length > 0) throw unreadableProblem(field, item);
  const every = step === undefined ? 1 : stepOf(field, step);
  if (from === '*' || (from === '' && step !== undefined)) {
    if (to !== undefined) throw unreadableProblem(field, item);
    return range(min, max, every);
  }
  const first = valueOf(field, from);
  if (to === undefined) return step === undefined ? [first] : range(first, max, every);
  const last = valueOf(field, to);
  if (first <= last) return range(first, last, every);
  if (field === fields.year) throw fieldProblem(field, `the range ${item} ends before it starts`);
  // 22-2 wraps around, like FRI-MON.
  return range(first, last + sizeOf(field), every).map((value) => (value > max ? value - sizeOf(field) : value));
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

function stepOf(field: Field, text: string): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (step < 1 || step > sizeOf(field))
    throw fieldProblem(field, `the step after / must be a number between 1 and ${sizeOf(field)}, not "${text}"`);
  return step;
}

function valueOf(field: Field, text: string): number {
  const { min, max, names } = field;
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return min + named;
  if (!/^\d{1,4}$/.test(text)) throw unreadableProblem(field, text);
  const value = Number(text);
  if (value < min || value > max) throw fieldProblem(field, `${text} is not between ${min} and ${max}`);
  return value;
}

function unreadableProblem(field: Field, text: string): CronProblem {
  if (text === '?') return fieldProblem(field, '? is allowed only in day fields; use * here for every value');
  const { min, max, names } = field;
  const among = names ? `, or a name from ${names[0]} to ${names.at(-1)}` : '';
  return fieldProblem(field, `"${text}" is not a number between ${min} and ${max}${among}`);
}
