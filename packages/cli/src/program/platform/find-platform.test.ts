import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectionFlags } from './find-platform.ts';
import { findPlatform } from './find-platform.ts';
import { completeContext, type CliContext } from '../context.ts';
import { temporaryFolder, TOKEN, writeRunFile } from '../testing/fake-platform.ts';
import { isAlive } from './run-file.ts';

const noFlags: ConnectionFlags = {
  context: undefined,
  data: undefined,
  url: undefined,
  token: undefined,
  'token-file': undefined,
  ca: undefined,
};
const here = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443', api: 'http://127.0.0.1:8080/api' };

function find(flags: Partial<ConnectionFlags>, given: Partial<CliContext> = {}) {
  const warnings: string[] = [];
  const context = completeContext({
    environment: {},
    cwd: temporaryFolder(),
    out: () => undefined,
    err: (text) => void warnings.push(text),
    ...given,
  });
  return findPlatform({ ...noFlags, ...flags }, context).then((platform) => ({ ...platform, warnings }));
}

function dataFolder(facts: Readonly<Record<string, unknown>> = here): string {
  const data = temporaryFolder();
  writeRunFile(data, facts);
  return data;
}

describe('the local platform', () => {
  it('is found by --data, by SIGNETRY_DATA, in the current folder, and in the clone, in this order', async () => {
    const [flag, environment, cwd, clone] = [1, 2, 3, 4].map((port) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'data'));
      writeRunFile(join(folder, 'data'), { api: `http://127.0.0.1:${port}/api` });
      return folder;
    }) as [string, string, string, string];
    const empty = temporaryFolder();
    const found = async (flags: Partial<ConnectionFlags>, given: Partial<CliContext>) => (await find(flags, given)).api;
    const variables = { SIGNETRY_DATA: join(environment, 'data') };
    expect(await found({ data: join(flag, 'data') }, { environment: variables, cwd })).toContain(':1/');
    expect(await found({}, { environment: variables, cwd, cloneFolder: clone })).toContain(':2/');
    expect(await found({}, { cwd, cloneFolder: clone })).toContain(':3/');
    expect(await found({}, { cwd: empty, cloneFolder: clone })).toContain(':4/');
    expect(await found({ data: 'data' }, { cwd })).toContain(':3/');
  });

  it('is accessed with the token from the run file, or with a specified token', async () => {
    const data = dataFolder();
    const tokenFile = join(data, 'token');
    writeFileSync(tokenFile, 'from-file\n');
    expect(await find({ data })).toMatchObject({ api: here.api, token: TOKEN, trusted: undefined });
    expect(await find({ data, 'token-file': tokenFile })).toMatchObject({ token: 'from-file' });
    expect(await find({ data, token: 'given' })).toMatchObject({ token: 'given' });
    await expect(find({ data, token: 'a', 'token-file': tokenFile })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('does not receive the token from the environment, which is intended only for the URL from the environment', async () => {
    const environment = { SIGNETRY_TOKEN: 'elsewhere', SIGNETRY_URL: 'https://ca.example' };
    expect(await find({ data: dataFolder() }, { environment })).toMatchObject({ api: here.api, token: TOKEN });
    expect(await find({}, { environment })).toMatchObject({ api: 'https://ca.example/api', token: 'elsewhere' });
  });

  it('is trusted by its root certificate if it serves only HTTPS', async () => {
    const data = temporaryFolder();
    const rootCertificate = join(data, 'root-ca.pem');
    writeFileSync(rootCertificate, 'root in PEM');
    writeRunFile(data, { https: here.https, api: `${here.https}/api`, rootCertificate });
    const { trusted } = await find({ data });
    expect(trusted?.at(-1)).toBe('root in PEM');
    expect(trusted?.length).toBeGreaterThan(1);
  });

  it('is not running if there is no run file', async () => {
    const data = temporaryFolder();
    await expect(find({ data })).rejects.toMatchObject({
      exitCode: 3,
      message: `No platform is running on data directory ${data}.`,
      help: [expect.stringContaining('npm start'), expect.stringContaining('--url')],
    });
  });

  it('is not running if its process has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const data = dataFolder({ ...here, pid });
    await expect(find({ data })).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`process ${pid}`),
      help: [expect.stringContaining('npm start'), expect.anything()],
    });
  });

  it.each(['', '{', '[]', '{}', '{"pid":1,"api":"nonsense","token":"t","startedAt":"x"}'])(
    'is not found through a run file with %j',
    async (text) => {
      const data = temporaryFolder();
      writeFileSync(join(data, 'run.json'), text);
      await expect(find({ data })).rejects.toThrow('is not a run file');
    },
  );
});

describe('a platform by URL', () => {
  it.each([
    ['https://ca.example:8443', 'https://ca.example:8443/api'],
    ['https://ca.example/', 'https://ca.example/api'],
    ['https://ca.example/api/', 'https://ca.example/api'],
    ['https://ca.example/pki', 'https://ca.example/pki/api'],
  ])('accepts %s', async (url, api) => {
    expect(await find({ url, token: 't' })).toMatchObject({ api, token: 't', run: undefined, warnings: [] });
  });

  it.each(['ca.example', 'ftp://ca.example', 'https://ca.example?x', 'https://u:p@ca.example'])(
    'rejects %s',
    async (url) => {
      await expect(find({ url, token: 't' })).rejects.toMatchObject({ exitCode: 2 });
    },
  );

  it('requires a token', async () => {
    await expect(find({ url: 'https://ca.example' })).rejects.toMatchObject({
      exitCode: 2,
      message: 'An access token is required for https://ca.example/api.',
    });
  });

  it('receives the token from the run file only if the URL matches that file', async () => {
    const data = dataFolder();
    expect(await find({ data, url: here.https })).toMatchObject({ token: TOKEN, api: `${here.https}/api` });
    for (const url of ['http://127.0.0.1:8081', 'https://127.0.0.1:8080', 'http://127.0.0.1.example:8080'])
      await expect(find({ data, url })).rejects.toThrow('An access token is required for');
  });

  it('rejects a token that is not a valid header value, without quoting it', async () => {
    const refused = await find({ url: 'https://ca.example', token: 'two\nlines' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(String(refused)).not.toContain('two');
  });

  it('trusts only the specified CA certificate', async () => {
    const ca = join(temporaryFolder(), 'ca.pem');
    writeFileSync(ca, 'named');
    expect(await find({ url: 'https://ca.example', token: 't', ca })).toMatchObject({ trusted: ['named'] });
    await expect(find({ url: 'https://ca.example', token: 't', ca: `${ca}.no` })).rejects.toMatchObject({
      exitCode: 2,
    });
  });

  it('warns if the token would be sent unencrypted', async () => {
    const { warnings } = await find({ url: 'http://ca.example', token: 't' });
    expect(warnings).toEqual([expect.stringContaining('unencrypted. Use https.')]);
    for (const url of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])
      expect((await find({ url, token: 't' })).warnings).toEqual([]);
  });
});

describe('a process', () => {
  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('cannot have the ID %d', (pid) => {
    expect(isAlive(pid)).toBe(false);
  });

  it('is alive, whether it is our own or not', () => {
    expect([isAlive(process.pid), isAlive(1)]).toEqual([true, true]);
  });
});
