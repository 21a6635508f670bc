import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError, configurationRows, readConfiguration } from './configuration.ts';

describe('configuration', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signetry-configuration-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = (text: string) => {
    const path = join(folder, 'signetry.yaml');
    writeFileSync(path, text);
    return path;
  };

  it('takes the command line before the environment before the file before the default', () => {
    const config = file('http: 127.0.0.1:1\nhttps: 127.0.0.1:1\nlogLevel: warn\n');
    const { values, sources } = readConfiguration({
      args: ['--http', '127.0.0.1:3', '--config', config],
      environment: { SIGNETRY_HTTP: '127.0.0.1:2', SIGNETRY_HTTPS: '127.0.0.1:2' },
    });
    expect([values.http, values.https, values.logLevel, values.data]).toEqual([
      '127.0.0.1:3',
      '127.0.0.1:2',
      'warn',
      'data',
    ]);
    expect([sources.http, sources.https, sources.logLevel, sources.data]).toEqual([
      'command line',
      'environment',
      'file',
      'default',
    ]);
  });

  it.each([
    [['--http', 'nonsense'], /--http: must be HOST:PORT/],
    [['--no-such-flag'], /--no-such-flag/],
    [['--http', 'off', '--https', 'off'], /both off/],
    [['--production'], /--sealing-key-file/],
    [['--database-url', 'postgres://u:p@h/d'], /--sealing-key-file/],
  ])('refuses %j with one clear line', (args, message) => {
    expect(() => readConfiguration({ args, environment: {} })).toThrow(message);
  });

  it('names an unknown setting of the file', () => {
    const config = file('htpp: 127.0.0.1:1\n');
    expect(() => readConfiguration({ args: ['--config', config], environment: {} })).toThrow(ConfigurationError);
  });

  it('never prints the password of the database URL', () => {
    const args = ['--database-url', 'postgres://u:hunter2@h/d', '--sealing-key-file', 'k'];
    expect(JSON.stringify(configurationRows(readConfiguration({ args, environment: {} })))).not.toContain('hunter2');
  });

  it('does not keep a trailing slash of the public URL', () => {
    const { values } = readConfiguration({ args: ['--public-url', 'https://ca.example/'], environment: {} });
    expect(values.publicUrl).toBe('https://ca.example');
  });
});
