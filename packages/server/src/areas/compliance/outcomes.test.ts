import { expect, it } from 'vitest';
import { violatedFirst } from './outcomes.ts';
import type { FailedRule } from './tables.ts';

it('lists violated rules before rules that could not be checked, and these before the others', () => {
  const rule = (uuid: string, status: FailedRule['status']): FailedRule =>
    ({ uuid, name: uuid, resource: 'certificates', status }) as FailedRule;
  const rules = [rule('a', 'na'), rule('b', 'not_available'), rule('c', 'nok'), rule('d', 'na'), rule('e', 'nok')];
  expect(violatedFirst(rules).map(({ uuid }) => uuid)).toEqual(['c', 'e', 'b', 'a', 'd']);
});
