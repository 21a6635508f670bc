import { describe, expect, it } from 'vitest';
import { expressionOf, initialSchedule, readExpression, describeSchedule, type ScheduleValues } from './forms.ts';

const forms: readonly (readonly [Partial<ScheduleValues>, string, string])[] = [
  [{ form: 'hour' }, '0 0 * * * ?', 'Every hour'],
  [{ form: 'hour', minute: 30 }, '0 30 * * * ?', 'Every hour at minute 30'],
  [{ form: 'day', time: '02:05' }, '0 5 2 * * ?', 'Every day at 02:05'],
  [{ form: 'week', days: ['FRI', 'MON'], time: '18:00' }, '0 0 18 ? * MON,FRI', 'Every Monday and Friday at 18:00'],
  [{ form: 'month', dayOfMonth: '15', time: '00:30' }, '0 30 0 15 * ?', 'Day 15 of every month at 00:30'],
  [{ form: 'month', dayOfMonth: 'L', time: '23:59' }, '0 59 23 L * ?', 'The last day of every month at 23:59'],
];

describe('a schedule in a common form', () => {
  it.each(forms)('%j is converted to an expression and back', (values, expression, words) => {
    const whole = { ...initialSchedule, ...values };
    expect(expressionOf(whole)).toBe(expression);
    expect(expressionOf(readExpression(expression))).toBe(expression);
    expect(readExpression(expression).form).toBe(whole.form);
    expect(describeSchedule(expression)).toBe(words);
  });

  it('is recognized in other notations', () => {
    expect(describeSchedule('0 0 * ? * *')).toBe('Every hour');
    expect(describeSchedule('0 0 2 ? * *')).toBe('Every day at 02:00');
  });

  it('has no expression while a value is missing', () => {
    expect(expressionOf({ ...initialSchedule, form: 'week', days: [] })).toBe('');
    expect(expressionOf({ ...initialSchedule, time: '' })).toBe('');
  });
});

it.each(['0 0/5 * * * ?', '0 0 6 ? * 2', '0 0 6 ? * MON-FRI', '0 75 * * * ?', '0 0 2 31 * ?', '0 0 2 * * ? 2030', ''])(
  '%s has no common form and stays unchanged',
  (expression) => {
    expect(readExpression(expression)).toMatchObject({ form: 'other', expression });
    expect(expressionOf(readExpression(expression))).toBe(expression);
    expect(describeSchedule(expression)).toBe(expression);
  },
);
