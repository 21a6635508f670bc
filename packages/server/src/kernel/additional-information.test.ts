import { expect, it } from 'vitest';
import { presentAdditional } from './additional-information.ts';

it('presents every stored value as an object', () => {
  expect(presentAdditional({ reason: 'keyCompromise', items: 3, list: [1], none: null, request: { id: 'x' } })).toEqual(
    {
      reason: { value: 'keyCompromise' },
      items: { value: 3 },
      list: { value: [1] },
      none: { value: null },
      request: { id: 'x' },
    },
  );
});
