import { describe, expect, it } from 'vitest';
import { Interruption } from '../failures.ts';
import type { ConnectorInput, Running, ServerModule, StartInput } from '../platform/server-module.ts';
import { run, temporaryFolder, writeRunFile } from '../testing/fake-platform.ts';

class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** A server module that returns the given state and records its calls. */
function fakeServer(running: Partial<Running> | Error) {
  const started: (StartInput | ConnectorInput)[] = [];
  let stops = 0;
  const start = async (input: StartInput | ConnectorInput): Promise<Running> => {
    started.push(input);
    if (running instanceof Error) throw running;
    input.out('ready for users');
    return {
      async stop() {
        stops += 1;
      },
      ...running,
    };
  };
  const module: ServerModule = {
    startServer: start,
    startConnectorServer: start,
    configuration: ({ args }) => {
      if (args.includes('--nonsense')) throw new ConfigurationError('--nonsense is unknown.');
      return [{ name: 'http', value: args.join(' '), source: 'command line', about: 'HTTP listener.' }];
    },
  };
  return { started, stops: () => stops, loadServer: async () => module };
}

describe('start', () => {
  it('passes its arguments to the platform, runs until it is stopped, and exits with 0', async () => {
    const controller = new AbortController();
    const server = fakeServer({});
    const environment = { SIGNETRY_HTTP: 'off' };
    const running = run(['start', '--http', 'off', '--data', 'x'], {
      ...server,
      environment,
      signal: controller.signal,
    });
    await expect.poll(() => server.started).toMatchObject([{ args: ['--http', 'off', '--data', 'x'], environment }]);
    expect(server.stops()).toBe(0);
    controller.abort(new Interruption());
    const { code, out, err } = await running;
    expect([code, out, server.stops()]).toEqual([0, 'ready for users', 1]);
    expect(err).toContain('Stopping');
  });

  it('stops immediately if the stop was requested during startup', async () => {
    const server = fakeServer({});
    const { code } = await run(['start'], { ...server, signal: AbortSignal.abort(new Interruption()) });
    expect([code, server.stops()]).toEqual([0, 1]);
  });

  it('exits when the platform stops, with or without an error', async () => {
    const well = fakeServer({ stopped: Promise.resolve() });
    expect((await run(['start'], well)).code).toBe(0);
    const ill = fakeServer({ stopped: Promise.reject(new Error('The database is gone.')) });
    expect(await run(['start'], ill)).toMatchObject({ code: 1, err: 'signetry: The database is gone.' });
    expect(ill.stops()).toBe(1);
  });

  it('explains in one line why it cannot start', async () => {
    const { code, err } = await run(['start'], fakeServer(new Error('The data directory is in use by process 7.')));
    expect([code, err]).toEqual([1, 'signetry: The data directory is in use by process 7.']);
    const wrong = await run(['start'], fakeServer(new ConfigurationError('--http: must be HOST:PORT.')));
    expect([wrong.code, wrong.err]).toEqual([2, 'signetry: --http: must be HOST:PORT.']);
  });

  it('prints the URLs as JSON on stdout, and messages for users on stderr', async () => {
    const announcement = { http: 'http://127.0.0.1:1', signIn: 'link', removeRunFile: () => undefined };
    const { out, err } = await run(['start', '--json'], fakeServer({ announcement, stopped: Promise.resolve() }));
    expect(JSON.parse(out)).toEqual({ http: 'http://127.0.0.1:1', signIn: 'link' });
    expect(err).toContain('ready for users');
  });
});

describe('connector', () => {
  it.each([
    [['--data', 'd'], { data: '/x/d', databaseUrl: undefined, sealingKeyFile: undefined, acceptClock: undefined }],
    [['--data', '/d', '--sealing-key-file', 'k'], { data: '/d', sealingKeyFile: '/x/k' }],
    [['--data', '/d', '--public-url', 'http://pki.example/x/'], { publicUrl: 'http://pki.example/x' }],
    [['--data', '/d', '--pkcs11-libraries', 'hsm=/p11.so'], { pkcs11Libraries: 'hsm=/p11.so' }],
    [['--data', '/d', '--discovery-directories', 'web=/etc/tls'], { discoveryDirectories: 'web=/etc/tls' }],
    [['--data', '/d', '--entity-directories', 'web=/etc/tls'], { entityDirectories: 'web=/etc/tls' }],
    [['--data', '/d', '--entity-reload-commands', 'web=true'], { entityReloadCommands: 'web=true' }],
    [['--database-url', 'postgres://h/d'], { data: '/x/software-authority-data', databaseUrl: 'postgres://h/d' }],
  ])('is started with %j', async (args, expected) => {
    const server = fakeServer({ stopped: Promise.resolve(), announcement: { url: 'http://127.0.0.1:1' } });
    const given = { ...server, cwd: '/x' };
    const { code, out } = await run(['connector', 'software-authority', '--port', '0', '--json', ...args], given);
    expect([code, JSON.parse(out)]).toEqual([0, { url: 'http://127.0.0.1:1' }]);
    expect(server.started).toMatchObject([{ name: 'software-authority', host: '127.0.0.1', port: 0, ...expected }]);
  });

  it.each([[[]], [['--port', '9000']], [['--port', '65536', '--data', 'd']], [['--port', 'x', '--data', 'd']]])(
    'is not started with %j',
    async (args) => {
      const server = fakeServer({});
      expect((await run(['connector', 'software-authority', ...args], server)).code).toBe(2);
      expect(server.started).toEqual([]);
    },
  );
});

describe('config', () => {
  it('prints the effective settings as a table and as JSON', async () => {
    const server = fakeServer({});
    const { out } = await run(['config', '--http', 'off'], server);
    expect(out).toBe(
      'Setting  Value       Source        Description\nhttp     --http off  command line  HTTP listener.',
    );
    const { out: json } = await run(['config', '--http', 'off', '--json'], server);
    expect(JSON.parse(json)).toMatchObject([{ name: 'http', value: '--http off', source: 'command line' }]);
  });

  it('shows the settings of the running platform, or the settings that a start with the specified flags would use', async () => {
    const data = temporaryFolder();
    const settings = [{ name: 'http', value: '127.0.0.1:9999', source: 'environment' }];
    writeRunFile(data, { api: 'http://127.0.0.1:9999/api', settings });
    for (const args of [
      ['config', '--data', data],
      ['config', `--data=${data}`],
    ]) {
      const { out, err } = await run(args, fakeServer({}));
      expect(out).toContain('127.0.0.1:9999  environment  HTTP listener.');
      expect(err).toContain(`Settings of the platform running on ${data}`);
    }
    const planned = await run(['config', '--data', data, '--http', 'off'], fakeServer({}));
    expect(planned.out).not.toContain('9999');
    expect(planned.err).toBe('Settings that `signetry start` would use.');
  });

  it('exits with 2 if the configuration is invalid', async () => {
    expect(await run(['config', '--nonsense'], fakeServer({}))).toMatchObject({
      code: 2,
      err: 'signetry: --nonsense is unknown.',
    });
  });
});
