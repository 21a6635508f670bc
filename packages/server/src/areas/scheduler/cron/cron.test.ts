import { describe, expect, it } from 'vitest';
import { findNextRun, nextRun, nextRuns } from './next-runs.ts';

/** A Monday. */
const AFTER = new Date('2026-11-23T10:07:30Z');
const shown = (dates: readonly Date[]): string[] => dates.map((date) => date.toISOString().slice(0, 19));
const due = (expression: string, count = 3, { timeZone = 'UTC', after = AFTER } = {}): string[] =>
  shown(nextRuns({ expression, timeZone }, { after, count }));

describe('a cron expression', () => {
  it.each([
    ['0 0 * ? * *', ['2026-11-23T11:00:00', '2026-11-23T12:00:00', '2026-11-23T13:00:00']],
    ['0 0 * * * ?', ['2026-11-23T11:00:00', '2026-11-23T12:00:00', '2026-11-23T13:00:00']],
    ['0 0 * * * *', ['2026-11-23T11:00:00', '2026-11-23T12:00:00', '2026-11-23T13:00:00']],
    ['0 30 * ? * *', ['2026-11-23T10:30:00', '2026-11-23T11:30:00', '2026-11-23T12:30:00']],
    ['*/20 * * * * ?', ['2026-11-23T10:07:40', '2026-11-23T10:08:00', '2026-11-23T10:08:20']],
    ['0 0/5 * * * ?', ['2026-11-23T10:10:00', '2026-11-23T10:15:00', '2026-11-23T10:20:00']],
    ['0 3/20 * * * ?', ['2026-11-23T10:23:00', '2026-11-23T10:43:00', '2026-11-23T11:03:00']],
    ['0 /30 * * * ?', ['2026-11-23T10:30:00', '2026-11-23T11:00:00', '2026-11-23T11:30:00']],
    ['0 10-20/5 * * * ?', ['2026-11-23T10:10:00', '2026-11-23T10:15:00', '2026-11-23T10:20:00']],
    ['0 0 22-1 * * ?', ['2026-11-23T22:00:00', '2026-11-23T23:00:00', '2026-11-24T00:00:00']],
    ['0 0 2 * * ?', ['2026-11-24T02:00:00', '2026-11-25T02:00:00', '2026-11-26T02:00:00']],
    ['0 15,45 6 1,15 * ?', ['2026-12-01T06:15:00', '2026-12-01T06:45:00', '2026-12-15T06:15:00']],
    ['0 0 6 ? * 1', ['2026-11-29T06:00:00', '2026-12-06T06:00:00', '2026-12-13T06:00:00']],
    ['0 0 6 ? * 2', ['2026-11-30T06:00:00', '2026-12-07T06:00:00', '2026-12-14T06:00:00']],
    ['0 0 6 ? * 7', ['2026-11-28T06:00:00', '2026-12-05T06:00:00', '2026-12-12T06:00:00']],
    ['0 0 6 ? * L', ['2026-11-28T06:00:00', '2026-12-05T06:00:00', '2026-12-12T06:00:00']],
    ['0 0 6 * * mon-fri', ['2026-11-24T06:00:00', '2026-11-25T06:00:00', '2026-11-26T06:00:00']],
    ['0 0 6 ? * FRI-MON', ['2026-11-27T06:00:00', '2026-11-28T06:00:00', '2026-11-29T06:00:00']],
    ['0 0 6 ? * 2/2', ['2026-11-25T06:00:00', '2026-11-27T06:00:00', '2026-11-30T06:00:00']],
    ['0 0 6 ? * SUN,WED', ['2026-11-25T06:00:00', '2026-11-29T06:00:00', '2026-12-02T06:00:00']],
    ['0 0 6 ? * 6L', ['2026-11-27T06:00:00', '2026-12-25T06:00:00', '2027-01-29T06:00:00']],
    ['0 0 6 ? * FRIL', ['2026-11-27T06:00:00', '2026-12-25T06:00:00', '2027-01-29T06:00:00']],
    ['0 0 6 ? * 6#3', ['2026-12-18T06:00:00', '2027-01-15T06:00:00', '2027-02-19T06:00:00']],
    ['0 0 6 ? * MON#5', ['2026-11-30T06:00:00', '2027-03-29T06:00:00', '2027-05-31T06:00:00']],
    ['0 0 6 L * ?', ['2026-11-30T06:00:00', '2026-12-31T06:00:00', '2027-01-31T06:00:00']],
    ['0 0 6 LW * ?', ['2026-11-30T06:00:00', '2026-12-31T06:00:00', '2027-01-29T06:00:00']],
    ['0 0 6 15W * ?', ['2026-12-15T06:00:00', '2027-01-15T06:00:00', '2027-02-15T06:00:00']],
    ['0 0 6 1W AUG ?', ['2027-08-02T06:00:00', '2028-08-01T06:00:00', '2029-08-01T06:00:00']],
    ['0 0 0 1 JAN,JUL ?', ['2027-01-01T00:00:00', '2027-07-01T00:00:00', '2028-01-01T00:00:00']],
    ['0 0 0 1 1/6 ?', ['2027-01-01T00:00:00', '2027-07-01T00:00:00', '2028-01-01T00:00:00']],
    ['0 0 0 29 2 ?', ['2028-02-29T00:00:00', '2032-02-29T00:00:00', '2036-02-29T00:00:00']],
    ['0 0 0 31 * ?', ['2026-12-31T00:00:00', '2027-01-31T00:00:00', '2027-03-31T00:00:00']],
    ['0 0 0 1 1 ? 2030-2031', ['2030-01-01T00:00:00', '2031-01-01T00:00:00']],
    ['0 0 0 1 1 ? 2027/2', ['2027-01-01T00:00:00', '2029-01-01T00:00:00', '2031-01-01T00:00:00']],
    ['  0   0 6 L  * ?  ', ['2026-11-30T06:00:00', '2026-12-31T06:00:00', '2027-01-31T06:00:00']],
  ])('%s is due at the same times as in Quartz', (expression, expected) => {
    expect(due(expression)).toEqual(expected);
  });

  it('is due in its time zone', () => {
    expect(due('0 0 2 * * ?', 1, { timeZone: 'America/New_York' })).toEqual(['2026-11-24T07:00:00']);
    expect(due('0 30 2 * * ?', 1, { timeZone: 'Asia/Kolkata' })).toEqual(['2026-11-23T21:00:00']);
  });

  const prague = { timeZone: 'Europe/Prague' };

  it('is due once, immediately after the skipped time, if the start of daylight saving time skips its time', () => {
    const spring = { ...prague, after: new Date('2026-03-28T12:00:00Z') };
    expect(due('0 30 2 * * ?', 2, spring)).toEqual(['2026-03-29T01:00:00', '2026-03-30T00:30:00']);
    expect(due('0 0 2,14 * * ?', 2, spring)).toEqual(['2026-03-28T13:00:00', '2026-03-29T01:00:00']);
  });

  it('is due only once if the end of daylight saving time repeats its time', () => {
    const autumn = { ...prague, after: new Date('2026-10-24T12:00:00Z') };
    expect(due('0 30 2 * * ?', 2, autumn)).toEqual(['2026-10-25T00:30:00', '2026-10-26T01:30:00']);
  });

  it('that is due every hour remains due every hour when the clocks change', () => {
    const hours = (after: string) => due('0 0 * ? * *', 3, { ...prague, after: new Date(after) });
    expect(hours('2026-10-24T23:30:00Z')).toEqual([
      '2026-10-25T00:00:00',
      '2026-10-25T01:00:00',
      '2026-10-25T02:00:00',
    ]);
    expect(hours('2026-03-28T23:30:00Z')).toEqual([
      '2026-03-29T00:00:00',
      '2026-03-29T01:00:00',
      '2026-03-29T02:00:00',
    ]);
  });

  it.each([
    ['', /must have six fields.*; none were specified\.$/],
    ['daily', /; one was specified\.$/],
    ['0 2 * * *', /; 5 were specified\. The first field is seconds\.$/],
    ['0 0 0 1 1 ? 2030 1', /; 8 were specified\.$/],
    ['0 75 * * * ?', /^minutes: 75 is not between 0 and 59/],
    ['60 0 * * * ?', /^seconds: 60/],
    ['0 0 24 * * ?', /^hours: 24/],
    ['0 0 ? * * *', /^hours: \? is allowed only in day fields/],
    ['0 0 0 0 * ?', /^day of month: 0 is not between 1 and 31/],
    ['0 0 0 32 * ?', /^day of month: 32/],
    ['0 0 0 1 13 ?', /^month: 13/],
    ['0 0 0 1 JUNE ?', /^month: "JUNE" is not a number between 1 and 12, or a name from JAN to DEC/],
    ['0 0 0 ? * 0', /^day of week: 0 is not between 1 and 7/],
    ['0 0 0 ? * 8', /^day of week: 8/],
    ['0 0 0 ? * MON#6', /^day of week: MON#6: the number after # must be between 1 and 5/],
    ['0 0 0 ? * MON#', /^day of week: .*after #/],
    ['0 0 0 ? * MON,FRI#2', /^day of week: MON,FRI#2: # cannot be combined with other days/],
    ['0 0 0 ? * MON,FRIL', /^day of week/],
    ['0 0 0 L,15 * ?', /^day of month: L,15: L, LW and 15W cannot be combined with other days/],
    ['0 0 0 L-3 * ?', /^day of month: L-3 is not supported/],
    ['0 0 0 40W * ?', /^day of month: 40/],
    ['0 0 0 1 * MON', /^day of week: the day of month is also restricted; use \? in one/],
    ['0 0 0 ? * ?', /^day of week: \? is allowed in only one of the two day fields/],
    ['0 0/0 * * * ?', /^minutes: the step after \/ must be a number between 1 and 60, not "0"/],
    ['0 0/61 * * * ?', /^minutes: the step/],
    ['0 0/x * * * ?', /^minutes: the step/],
    ['0 1,,2 * * * ?', /^minutes: 1,,2 has an extra comma/],
    ['0 1-2-3 * * * ?', /^minutes: "1-2-3"/],
    ['0 1/2/3 * * * ?', /^minutes: "1\/2\/3"/],
    ['0 *-5 * * * ?', /^minutes: "\*-5"/],
    ['0 -5 * * * ?', /^minutes: ""/],
    ['0 1e1 * * * ?', /^minutes: "1E1"/],
    ['0 0 0 1 1 ? 1969', /^year: 1969 is not between 1970 and 2099/],
    ['0 0 0 1 1 ? 2031-2030', /^year: the range 2031-2030 ends before it starts/],
    ['@daily', /; one was specified\.$/],
  ])('%s is rejected, stating the field and the reason', (expression, problem) => {
    expect(() => due(expression)).toThrow(
      expect.objectContaining({ name: 'CronProblem', message: expect.stringMatching(problem) as unknown }),
    );
  });

  it.each(['0 0 0 30 2 ?', '0 0 0 1 1 ? 2020'])('%s is never due', (expression) => {
    const never = { expression, timeZone: 'UTC' };
    expect(findNextRun(never, AFTER)).toBeNull();
    expect(() => nextRun(never, AFTER)).toThrow(/will never be due again/);
  });
});
