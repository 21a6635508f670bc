import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

describe('the command line of npm test', () => {
  it.each([
    [[], { kind: 'usual' }],
    [['--all'], { kind: 'all' }],
    [['--fast'], { kind: 'fast' }],
    [['--related'], { kind: 'related' }],
    [['oids', 'groups'], { kind: 'named', names: ['oids', 'groups'] }],
  ])('%j chooses the tests', (args, selection) => {
    expect(readArguments(args).selection).toEqual(selection);
  });

  it('takes options beside the choice', () => {
    expect(readArguments(['--all', '--patience=2.5', '--enforce-budget'])).toEqual({
      selection: { kind: 'all' },
      enforceBudget: true,
      recordBudget: false,
      patience: 2.5,
    });
  });

  it.each([
    [['--fast', '--all'], 'One choice of tests at a time.'],
    [['--all', 'oids'], 'One choice of tests at a time.'],
    [['--patience=0'], '--patience takes a number of at least 1.'],
    [['--patience=long'], '--patience takes a number of at least 1.'],
    [['--slow'], "Unknown option '--slow'"],
  ])('%j is rejected with the usage', (args, reason) => {
    expect(() => readArguments(args)).toThrow(reason);
    expect(() => readArguments(args)).toThrow('npm test -- --related');
  });
});
