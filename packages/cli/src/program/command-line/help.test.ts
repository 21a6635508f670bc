import { readFileSync } from 'node:fs';
import { KEY_SPECS } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { requestFlags } from '../commands/request-flags.ts';
import { commandTable } from '../run-cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { run } from '../testing/fake-platform.ts';

const configuration = () => [
  { name: 'publicUrl', value: '', source: 'not set', about: 'URL for clients.' },
  { name: 'http', value: '127.0.0.1:8080', source: 'default', about: 'HTTP listener.' },
  { name: 'production', value: 'false', source: 'default', about: 'Reject generated defaults.' },
];
const loadServer = async () => ({
  configuration,
  startServer: () => expect.unreachable(),
  startConnectorServer: () => expect.unreachable(),
});

describe('help', () => {
  it('lists every command and every exit code', async () => {
    const { code, out } = await run(['help']);
    expect(code).toBe(0);
    for (const { name, about } of commandTable)
      expect(out).toMatch(new RegExp(`^  ${name}( [A-Z…]+| \\[[A-Z]+\\])*  +${about}$`, 'm'));
    for (const { code, about } of exitCodes) expect(out).toMatch(new RegExp(`^  ${code} +${about}$`, 'm'));
  });

  it.each(commandTable.filter(({ takesSettings }) => !takesSettings))(
    'for $name lists every flag',
    async ({ name, flags }) => {
      const { code, out } = await run([...name.split(' '), '--help']);
      expect(code).toBe(0);
      for (const flag of ['json', 'help', ...Object.keys(flags ?? {})])
        expect(out).toMatch(new RegExp(`^  --${flag} `, 'm'));
    },
  );

  it('derives the flags for the start command from the settings', async () => {
    const { out } = await run(['start', '--help'], { loadServer });
    expect(out).toMatch(/^ {2}--public-url VALUE +URL for clients\.$/m);
    expect(out).toMatch(/^ {2}--http VALUE +HTTP listener\. \(default 127\.0\.0\.1:8080\)$/m);
    expect(out).toMatch(/^ {2}--production +Reject generated defaults\.$/m);
  });

  it("lists a group's commands", async () => {
    const { out } = await run(['help', 'token']);
    expect(out.split('\n').map((line) => line.split('  ')[0])).toEqual([
      'token create NAME',
      'token list',
      'token revoke UUID',
    ]);
  });

  it('suggests a similar command for an unknown one', async () => {
    const { code, err } = await run(['help', 'sing-in']);
    expect(code).toBe(2);
    expect(err).toContain('Did you mean `signetry sign-in`?');
  });

  it('stays within 110 columns', async () => {
    for (const { name, takesSettings } of commandTable) {
      if (takesSettings) continue;
      const { out } = await run(['help', ...name.split(' ')]);
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
    }
  });

  it('lists exactly the supported key types', () => {
    expect([...requestFlags['key-type'].choices].sort()).toEqual([...KEY_SPECS].sort());
  });
});

describe('the README', () => {
  const text = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

  it('lists every command', () => {
    for (const { name } of commandTable) expect(text).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'));
  });

  it('documents every exit code with the same wording as the help text', () => {
    for (const { code, about } of exitCodes) expect(text).toMatch(new RegExp(`^\\| ${code} +\\| ${about} +\\|$`, 'm'));
  });
});
