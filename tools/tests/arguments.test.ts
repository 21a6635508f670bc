import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

describe('the npm test command line', () => {
  it.each([
    [[], { kind: 'usual' }],
    [['--all'], { kind: 'all' }],
    [['--fast'], { kind: 'fast' }],
    [['--related'], { kind: 'related' }],
    [['oids', 'groups'], { kind: 'named', names: ['oids', 'groups'] }],
  ])('selects the correct tests for %j', (args, selection) => {
    expect(readArguments(args).selection).toEqual(selection);
  });

  it('accepts options along with a selection', () => {
    expect(readArguments(['--all', '--patience=2.5', '--enforce-budget'])).toEqual({
      selection: { kind: 'all' },
      enforceBudget: true,
      recordBudget: false,
      patience: 2.5,
    });
  });

  it.each([
    [['--fast', '--all'], 'Specify only one selection of tests.'],
    [['--all', 'oids'], 'Specify only one selection of tests.'],
    [['--patience=0'], '--patience must be a number of at least 1.'],
    [['--patience=long'], '--patience must be a number of at least 1.'],
    [['--slow'], "Unknown option '--slow'"],
  ])('rejects %j with a usage message', (args, reason) => {
    expect(() => readArguments(args)).toThrow(reason);
    expect(() => readArguments(args)).toThrow('npm test -- --related');
  });
});
