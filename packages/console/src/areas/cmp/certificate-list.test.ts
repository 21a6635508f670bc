import { expect, it } from 'vitest';
import { encodedFrom, pemOf } from './certificate-list.ts';

it('multiple certificates are parsed in order, and written unchanged', () => {
  const encoded = ['QUJD'.repeat(40), 'REVG'];
  expect(encodedFrom(`subject: CN=one\n${pemOf(encoded)}\n`)).toEqual(encoded);
  expect(
    pemOf(encoded)
      .split('\n')
      .every((line) => line.length <= 64),
  ).toBe(true);
  expect(encodedFrom('nothing')).toEqual([]);
  expect(pemOf([])).toBe('');
});
