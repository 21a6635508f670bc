// Runs the scripts in the installed shells and checks the suggestions that a user would see.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionPositions } from '../completion/positions.ts';
import { EXIT } from '../exit-codes.ts';
import { commandTable } from '../run-cli.ts';
import { run } from '../testing/fake-platform.ts';

const loadServer = async () => ({
  configuration: () => [
    { name: 'publicUrl', value: '', source: 'not set', about: "The clients' URL." },
    { name: 'production', value: 'false', source: 'default', about: 'Reject generated defaults.' },
  ],
  startServer: () => expect.unreachable(),
  startConnectorServer: () => expect.unreachable(),
});

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await run(['completion', shell], { loadServer });
  expect(code).toBe(EXIT.ok);
  return out;
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** Suggestions for a command line whose last word is incomplete. */
const offers: readonly [line: readonly string[], offered: readonly string[]][] = [
  [['cert'], ['certificate', 'certificates']],
  [
    ['certificates', 're'],
    ['release', 'renew', 'revoke'],
  ],
  [
    ['acme', 'eab', ''],
    ['create', 'list', 'revoke', 'show'],
  ],
  [['--data', 'list', '--json', 'token', 'r'], ['revoke']],
  [['certificates', 'list', '--st'], ['--state']],
  [['certificates', 'list', '--state', 'is'], ['issued']],
  [['certificates', 'list', '--state', 'issued', '--expi'], ['--expiring']],
  [
    ['certificate', 'request', 'a.example', '--key-type', 'RSA-'],
    ['RSA-2048', 'RSA-3072', 'RSA-4096'],
  ],
  [
    ['start', '--p'],
    ['--production', '--public-url'],
  ],
  [['start', '--public-url', 'x', '--prod'], ['--production']],
  [
    ['help', 'keys-at-rest', ''],
    ['rotate', 'show'],
  ],
  [['completion', 'f'], ['fish']],
];

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('covers every command and flag in %s', async (shell) => {
    const script = await scriptFor(shell);
    for (const { name, flags } of commandTable) {
      expect(script).toContain(`'${name.split(' ')[0]}`);
      for (const flag of Object.keys(flags ?? {})) expect(script).toMatch(new RegExp(`(--|-l )${flag}\\b`));
    }
  });

  it('rejects an unknown shell and lists the supported ones', async () => {
    const { code, err } = await run(['completion', 'bsh']);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('SHELL does not accept "bsh".');
    expect(err).toContain('Did you mean bash? Allowed values: bash, zsh, fish.');
  });

  it('can distinguish flag values from words because a flag takes a value in all commands or in none', () => {
    const flags = completionPositions(commandTable, {}).flatMap((place) => place.flags);
    const takesValue = new Map(flags.map(({ text, value }) => [text, value !== undefined]));
    for (const { text, value } of flags) expect([text, value !== undefined]).toEqual([text, takesValue.get(text)]);
  });

  it.runIf(has('bash')).each(offers)('suggests in bash for %j: %j', async (line, offered) => {
    const ask = `COMP_WORDS=(signetry "$@"); COMP_CWORD=$#; _signetry; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const script = `${await scriptFor('bash')}\n${ask}`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...line], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').sort()).toEqual(offered);
  });

  it.runIf(has('bash'))('completes a value after an equals sign in bash', async () => {
    const ask = `COMP_WORDS=(signetry certificates list --state = re); COMP_CWORD=5; _signetry; echo "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', `${await scriptFor('bash')}\n${ask}`], { encoding: 'utf8' });
    expect(stdout).toBe('requested rejected revoked\n');
  });

  it.runIf(has('zsh'))('produces a script that zsh can parse', async () => {
    const { status, stderr } = spawnSync('zsh', ['-n'], { input: await scriptFor('zsh'), encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.runIf(has('fish')).each(offers)('suggests in fish for %j: %j', async (line, offered) => {
    const script = `${await scriptFor('fish')}\ncomplete -C "signetry $argv"`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script, '--', ...line], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((found) => found.split('\t')[0])
        .sort(),
    ).toEqual(offered);
  });
});
