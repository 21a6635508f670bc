import { describe, expect, it } from 'vitest';
import { partsOfLine } from './dependent-names.tsx';

const known = [
  { name: 'Web', to: '/1' },
  { name: 'Web, internal', to: '/2' },
];

describe('the parts of a line that lists dependents', () => {
  it.each([
    ['a known name', 'Dependent RA profiles (1): Web', ['Dependent RA profiles (1): ', known[0]]],
    ['a name with a comma', 'Dependent RA profiles (1): Web, internal', ['Dependent RA profiles (1): ', known[1]]],
    [
      'several',
      'Dependent A (3): Web, other, Web, internal',
      ['Dependent A (3): ', known[0], ', ', 'other', ', ', known[1]],
    ],
    ['the beginning of an unknown name', 'Dependent A (1): Website', ['Dependent A (1): ', 'Website']],
    ['no list', 'The connector refuses.', ['The connector refuses.']],
  ])('are found for %s', (_, line, parts) => {
    expect(partsOfLine(line, known)).toEqual(parts);
  });
});
