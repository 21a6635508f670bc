import { describe, expect, it } from 'vitest';
import { migrationProblems } from './released-migrations.ts';

const released = { '0001-a.sql': 'one', '0002-b.sql': 'two' };

describe('released migrations', () => {
  it('stay unchanged, and new migrations are numbered after them', () => {
    expect(migrationProblems({ ...released, '0003-c.sql': 'three' }, released)).toEqual([]);
  });

  it.each([
    ['changed', { ...released, '0002-b.sql': 'other' }, /0002-b\.sql: was changed after its release/],
    ['removed', { '0001-a.sql': 'one' }, /0002-b\.sql: was removed or renamed/],
    [
      'preceded by a new one',
      { ...released, '0001-z.sql': 'new' },
      /0001-z\.sql: its number is lower than that of 0002-b/,
    ],
  ])('must not be %s', (_what, present, message) => {
    expect(migrationProblems(present, released)).toEqual([expect.stringMatching(message)]);
  });

  it('in this repository are unchanged since their release', () => {
    expect(migrationProblems()).toEqual([]);
  });
});
