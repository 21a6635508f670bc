import { describe, expect, it } from 'vitest';
import { EXIT } from '../exit-codes.ts';
import { CliFailure } from '../failures.ts';
import { command, type Command } from './command.ts';
import { parseInput, selectCommand } from './parse.ts';

const doNothing = async () => EXIT.ok;

const issue = command({
  name: 'certificate request',
  about: '',
  arguments: [{ name: 'NAME', about: 'a name', many: true }],
  flags: {
    profile: { value: 'NAME', initial: 'default', about: '' },
    state: { value: 'STATE', many: true, choices: ['issued', 'revoked'], about: '' },
    data: { value: 'DIR', about: '' },
    pem: { about: '' },
  },
  run: doNothing,
});
const list = command({ name: 'certificates list', about: '', run: doNothing });
const show = command({
  name: 'certificates show',
  about: '',
  arguments: [{ name: 'ID', about: 'which' }],
  run: doNothing,
});
const directory = command({
  name: 'acme-directory',
  about: '',
  arguments: [{ name: 'PROFILE', about: 'which', optional: true }],
  run: doNothing,
});
const serve = command({
  name: 'connector',
  about: '',
  flags: { port: { value: 'PORT', required: true, about: '' } },
  run: doNothing,
});
const start = command({ name: 'start', about: '', takesSettings: true, run: doNothing });
const commands: readonly Command[] = [issue, list, show, serve, start];

function failure(action: () => unknown): CliFailure {
  try {
    action();
  } catch (error) {
    if (error instanceof CliFailure) return error;
    throw error;
  }
  return expect.unreachable('nothing was rejected');
}

describe('command selection', () => {
  it('consumes the command name and passes the rest to the command', () => {
    expect(selectCommand(['certificate', 'request', 'web', '--pem'], commands)).toEqual({
      kind: 'command',
      command: issue,
      args: ['web', '--pem'],
    });
  });

  it('accepts --json before the command', () => {
    expect(selectCommand(['--json', 'certificates', 'list'], commands)).toMatchObject({
      command: list,
      args: ['--json'],
    });
  });

  it.each([
    [
      ['--data', 'dir', 'certificates', 'list'],
      ['--data', 'dir'],
    ],
    [
      ['--data=dir', '--json', 'certificates', 'list', '--page', '2'],
      ['--data=dir', '--json', '--page', '2'],
    ],
    [
      ['--url', 'https://ca.example', '--token-file', 'f', 'certificates', 'list', '--', '-x'],
      ['--url', 'https://ca.example', '--token-file', 'f', '--', '-x'],
    ],
  ])('accepts global flags before the command: %j', (args, rest) => {
    expect(selectCommand(args, commands)).toEqual({ kind: 'command', command: list, args: rest });
  });

  it('also passes global flags to commands that take settings', () => {
    const selection = selectCommand(['--data', 'dir', 'start', '--http', 'off'], commands);
    expect(selection).toEqual({ kind: 'command', command: start, args: ['--data', 'dir', '--http', 'off'] });
  });

  it.each([[['--data', 'certificates']], [['--page', '2', 'certificates', 'list']]])(
    'does not guess a command from other arguments: %j',
    (args) => {
      expect(failure(() => selectCommand(args, commands)).message).toContain('A command is required before --');
    },
  );

  it.each([
    [['help'], []],
    [['--help'], []],
    [['-h'], []],
    [['help', 'certificates'], ['certificates']],
    [['certificates', '--help'], ['certificates']],
    [
      ['certificate', 'request', 'web', '--help'],
      ['certificate', 'request'],
    ],
    [
      ['certificate', 'request', '--data', 'x', '-h'],
      ['certificate', 'request'],
    ],
  ])('treats %j as a help request', (args, words) => {
    expect(selectCommand(args, commands)).toEqual({ kind: 'help', words });
  });

  it('does not treat --help after -- as a help request', () => {
    expect(selectCommand(['certificate', 'request', '--', '--help'], commands).kind).toBe('command');
  });

  it.each([['--version'], ['-v'], ['version']])('treats %s as a version request', (arg) => {
    expect(selectCommand([arg], commands)).toEqual({ kind: 'version' });
  });

  it.each([
    [['certificats', 'list'], 'signetry certificates list'],
    [['certificate', 'list'], 'signetry certificates list'],
    [['strat'], 'signetry start'],
    [['strat', 'now'], 'signetry start'],
  ])('suggests a correction for %j', (args, guess) => {
    const { exitCode, help } = failure(() => selectCommand(args, commands));
    expect(exitCode).toBe(2);
    expect(help[0]).toContain(`Did you mean \`${guess}\`?`);
  });

  it('suggests nothing if no command is similar', () => {
    expect(failure(() => selectCommand(['frobnicate'], commands)).help).toEqual([
      '`signetry help` lists all commands.',
    ]);
  });

  it("lists a group's commands if only the group is specified", () => {
    expect(failure(() => selectCommand(['certificates'], commands)).help[0]).toBe(
      'Commands: certificates list, certificates show.',
    );
  });

  it.each([[[]], [['--data', 'x']]])('reports a missing command (%j)', (args) => {
    expect(failure(() => selectCommand(args, commands)).message).toContain('A command is required');
  });
});

describe('argument and flag parsing', () => {
  it('returns defaults, lists, switches and absent values as declared', () => {
    expect(parseInput(issue, ['a', '--state', 'ISSUED', 'b', '--state=revoked', '--pem', '--json'])).toEqual({
      args: ['a', 'b'],
      flags: { profile: 'default', state: ['issued', 'revoked'], data: undefined, pem: true },
      json: true,
    });
  });

  it('treats everything after -- as arguments', () => {
    expect(parseInput(issue, ['--', '--pem', '-x']).args).toEqual(['--pem', '-x']);
  });

  it('accepts a missing optional argument', () => {
    expect(parseInput(directory, []).args).toEqual([]);
    expect(parseInput(directory, ['web']).args).toEqual(['web']);
  });

  it('passes settings through unchanged, except for --json', () => {
    expect(parseInput(start, ['--http', 'off', '--json'])).toEqual({ args: ['--http', 'off'], flags: {}, json: true });
  });

  it.each([
    [issue, ['a', '--profil', 'x'], '--profil', 'Did you mean --profile?'],
    [issue, ['a', '--toString', 'x'], '--toString', '--help` lists'],
    [issue, ['a', '--state', 'isued'], '--state does not accept "isued"', 'Did you mean issued?'],
    [issue, ['a', '--data'], '--data requires a value: --data DIR', undefined],
    [issue, ['a', '--data', '--pem'], '--data requires a value', undefined],
    [issue, ['a', '--data='], '--data requires a value', undefined],
    [issue, ['a', '--pem=yes'], '--pem does not accept a value', undefined],
    [issue, ['a', '--data', 'x', '--data', 'y'], '--data can be specified only once', undefined],
    [issue, [], 'requires NAME: a name', undefined],
    [issue, ['a', ''], 'must not be empty', undefined],
    [list, ['x'], 'does not accept the argument "x"', undefined],
    [show, ['x', 'y'], 'does not accept the argument "y"', undefined],
    [directory, ['x', 'y'], 'does not accept the argument "y"', undefined],
    [serve, [], 'requires --port PORT', undefined],
  ])('rejects case %# with a hint', (command, args, message, help) => {
    const refused = failure(() => parseInput(command, args));
    expect(refused.exitCode).toBe(2);
    expect(refused.message).toContain(message);
    if (help !== undefined) expect(refused.help.join(' ')).toContain(help);
  });
});
