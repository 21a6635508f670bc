import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError, configurationRows, readConfiguration } from './configuration.ts';
import { settings, type SettingFacts } from './settings.ts';

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

  it('is read from the command line, the environment, the file and the default, in this order of precedence', () => {
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
    [
      ['--http-serves', 'revocation', '--https', 'off'],
      /--http-serves revocation requires the HTTPS listener, which serves everything else\./,
    ],
    [['--revocation-url', 'https://ca.example'], /--revocation-url: must be an http URL, not https/],
    [['--production'], /--sealing-key-file/],
    [['--acme-test-bad-nonces', '101'], /percentage from 0 to 100/],
    [['--acme-test-validation-delay', '16'], /seconds from 0 to 15/],
    [
      ['--production', '--sealing-key-file', 'k', '--acme-test-bad-nonces', '5'],
      /--acme-test-bad-nonces and --acme-test-validation-delay are for ACME client developers and cannot be used in production mode\./,
    ],
    [['--database-url', 'postgres://u:p@h/d'], /--sealing-key-file/],
  ])('rejects %j with a clear error message of one line', (args, message) => {
    expect(() => readConfiguration({ args, environment: {} })).toThrow(message);
  });

  it.each([
    ['htpp: 127.0.0.1:1', 2, 'unknown setting htpp. Did you mean http?'],
    ['http: 127.0.0.1:99999', 2, 'http: must have a port up to 65535.'],
    ['acmeHttp01Port: 99999', 2, 'acmeHttp01Port: must be a port up to 65535.'],
    ['publicUrl: https://ca.example:99999', 2, 'publicUrl: must be a URL with a host name and a port up to 65535.'],
    ['http: {port: 1}', 2, 'http requires one value or a list of values.'],
    ['http: a: b', 2, 'Nested mappings are not allowed'],
    ['- http', 1, 'the file must contain settings as name:'],
  ])('includes the line number in the error for an invalid setting in the file: %s', (line, number, message) => {
    const config = file(`${number === 2 ? 'logLevel: warn\n' : ''}${line}\n`);
    const read = () => readConfiguration({ args: ['--config', config], environment: {} });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(`${config}:${number}: ${message}`);
  });

  it.each([
    ['SIGNETRY_HTPP', 'x', 'SIGNETRY_HTPP in the environment is not a setting. Did you mean SIGNETRY_HTTP?'],
    ['SIGNETRY_HTTP', '127.0.0.1:99999', 'SIGNETRY_HTTP: must have a port up to 65535.'],
    ['SIGNETRY_WHATEVER_THIS_MAY_BE', 'x', '`signetry config` lists the settings'],
    ['SIGNETRY_DATABASE_URL', 'postgres://u:p@h:99999/d', 'SIGNETRY_DATABASE_URL: must have a port up to 65535.'],
  ])('includes the name in the error for an invalid environment variable: %s=%s', (name, value, message) => {
    const read = () => readConfiguration({ args: [], environment: { [name]: value } });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(message);
  });

  it("ignores the CLI's variables and those that Kubernetes sets for a service named signetry", () => {
    const environment = {
      SIGNETRY_TOKEN: 't',
      SIGNETRY_PORT: 'tcp://10.0.0.1:80',
      SIGNETRY_PORT_80_TCP_ADDR: '10.0.0.1',
      SIGNETRY_SERVICE_HOST: '10.0.0.1',
      SIGNETRY_WEB_SERVICE_PORT_HTTP: '80',
    };
    expect(readConfiguration({ args: [], environment }).sources.http).toBe('default');
  });

  describe('for production mode', () => {
    const external = ['--database-url', 'postgres://u:p@h/d', '--sealing-key-file', 'k'];
    const production = (args: readonly string[], environment = {}) => {
      const { values, sources } = readConfiguration({ args, environment });
      return [values.production, sources.production];
    };

    it('reports where it was set', () => {
      expect(production(external)).toEqual([true, 'implied by databaseUrl']);
      expect(production([])).toEqual([false, 'default']);
      expect(production(['--sealing-key-file', 'k'], { SIGNETRY_PRODUCTION: 'true' })).toEqual([true, 'environment']);
    });

    it('can be turned off only by a flag if the database is external', () => {
      const off = { SIGNETRY_PRODUCTION: 'false' };
      expect(() => production(external, off)).toThrow(/SIGNETRY_PRODUCTION: .* use --no-production/);
      expect(() => production([...external, '--config', file('production: false\n')])).toThrow(ConfigurationError);
      expect(production([...external, '--no-production'], off)).toEqual([false, 'command line']);
      expect(production([], off)).toEqual([false, 'environment']);
    });
  });

  it('never prints the password in the database URL', () => {
    const args = ['--database-url', 'postgres://u:hunter2@h/d', '--sealing-key-file', 'k'];
    expect(JSON.stringify(configurationRows(readConfiguration({ args, environment: {} })))).not.toContain('hunter2');
  });

  it('prints every setting as specified, or its default in the same notation', () => {
    const config = file('limitConnections: off\ntrustedProxies: [192.0.2.1, 192.0.2.2]\n');
    const args = ['--config', config, '--postgres-settings', 'shared_buffers=512MB,work_mem=8MB'];
    const environment = { SIGNETRY_LIMIT_FAILED_SIGN_INS: '2/second', SIGNETRY_ACME_DNS: '192.0.2.53:53' };
    const rows = configurationRows(readConfiguration({ args, environment }));
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toMatchObject({
      limitConnections: 'off',
      trustedProxies: '192.0.2.1,192.0.2.2',
      postgresSettings: 'shared_buffers=512MB,work_mem=8MB',
      limitFailedSignIns: '2/second',
      acmeDns: '192.0.2.53:53',
    });
    const defaults = configurationRows(readConfiguration({ args: [], environment: {} }));
    for (const { name, value } of defaults) expect(value, name).toBe((settings[name] as SettingFacts).initial ?? '');
  });

  it('accepts named PKCS #11 libraries, each with an absolute path', () => {
    const read = (text: string) =>
      readConfiguration({ args: ['--pkcs11-libraries', text], environment: {} }).values.pkcs11Libraries;
    expect(read('softhsm=/usr/lib/libsofthsm2.so, hsm=C:\\hsm\\p11.dll')).toEqual({
      softhsm: '/usr/lib/libsofthsm2.so',
      hsm: 'C:\\hsm\\p11.dll',
    });
    for (const wrong of ['libsofthsm2.so', 'softhsm=libsofthsm2.so', '=/usr/lib/x.so', 'a b=/usr/lib/x.so'])
      expect(() => read(wrong)).toThrow('--pkcs11-libraries: must be NAME=/PATH');
  });

  it('accepts directories and commands for entities, each with a name', () => {
    const read = (...args: string[]) => readConfiguration({ args, environment: {} }).values;
    expect(read('--entity-directories', 'web=/etc/tls, mail=/etc/mail').entityDirectories).toEqual({
      web: '/etc/tls',
      mail: '/etc/mail',
    });
    expect(read('--entity-reload-commands', 'web=nginx -t && nginx -s reload').entityReloadCommands).toEqual({
      web: 'nginx -t && nginx -s reload',
    });
    expect(() => read('--entity-directories', 'web=etc/tls')).toThrow(
      'must be NAME=/PATH pairs of directories, separated by commas',
    );
    expect(() => read('--entity-reload-commands', 'nginx')).toThrow('must be NAME=COMMAND');
  });

  it('removes a trailing slash from the public URL', () => {
    const { values } = readConfiguration({ args: ['--public-url', 'https://ca.example/'], environment: {} });
    expect(values.publicUrl).toBe('https://ca.example');
  });
});
