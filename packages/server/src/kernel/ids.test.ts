import { expect, it } from 'vitest';
import { isUuid, newUuid } from './ids.ts';

it('identifiers sort in order of creation, even within a millisecond', () => {
  const made = Array.from({ length: 20_000 }, newUuid);
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((uuid) => isUuid(uuid) && uuid[14] === '7')).toBe(true);
});
