// The platform as a program: first start, restart, and rejected starts.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { patience } from '@signetry/testkit/patience';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { issue, rootOf, uuidsOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { databasePid, runProgram, startProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const folder = temporaryFolder();
const directory = join(folder, 'data');
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the first start', () => {
  it('prints a command line that issues a certificate and stores its key so that only its owner can read it', async () => {
    const [data, issued] = [join(folder, 'first'), join(folder, 'issued')];
    await mkdir(issued);
    const { stdout, stop, ready } = await startProgram({ directory: data });
    // The line can arrive after the ready file.
    const printed = /npm run --silent signetry -- (certificate request .+)\n/;
    await vi.waitFor(() => expect(stdout()).toMatch(printed), { timeout: 10_000 });
    const line = printed.exec(stdout())?.[1] ?? '';
    // Words as a shell parses them: the data directory is quoted.
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const requested = await runProgram([...words, '--out', issued]);
    expect(requested).toMatchObject({ code: 0 });
    expect(await modeOf(join(issued, 'localhost.key.pem'))).toBe('600');
    const certificate = new X509Certificate(await readFile(join(issued, 'localhost.pem')));
    const key = createPrivateKey(await readFile(join(issued, 'localhost.key.pem')));
    expect(certificate.checkPrivateKey(key)).toBe(true);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.verify((await rootOf(ready)).publicKey)).toBe(true);

    const again = await runProgram([...words, '--out', issued]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('localhost.key.pem');
    await stop();
  });
});

describe('a data directory', () => {
  it('is created by the first start, readable only by its owner, with a ready file for programs that wait for it', async () => {
    const readyFile = join(folder, 'ready.json');
    const { ready, stop } = await startProgram({ directory, args: ['--ready-file', readyFile] });
    // Written by the platform after the file for its own command line.
    const announced = JSON.parse(await vi.waitFor(() => readFile(readyFile, 'utf8'), { timeout: 10_000 })) as unknown;
    expect(announced).toEqual({
      console: ready.http,
      signIn: expect.stringMatching(new RegExp(`^${ready.http}/sign-in/.{20,}`)),
      api: `${ready.http}/api`,
      acmeDirectory: `${ready.https}/api/v1/protocols/acme/default/directory`,
      rootCertificate: join(directory, 'root-ca.pem'),
      pid: ready.pid,
      http: ready.http,
      https: ready.https,
    });
    expect(await modeOf(readyFile)).toBe('600');
    for (const secret of ['run.json', 'sealing.key', 'https.json'])
      expect(await modeOf(join(directory, secret)), secret).toBe('600');
    expect(await modeOf(directory)).toBe('700');
    await stop();
  });

  it('keeps everything, so that the next start changes nothing and waits for no timeout', async () => {
    const first = await startProgram({ directory });
    await issue(first.client, await defaultProfile(first.client), await makeRequest({ subject: 'CN=kept.example' }));
    const [before, root] = [await uuidsOf(first.client), await readFile(join(directory, 'root-ca.pem'), 'utf8')];
    await first.stop();

    const second = await startProgram({ directory });
    // Only a start that repeats work or waits for a timeout takes longer. `npm run bench -- start` measures it.
    expect(second.startSeconds).toBeLessThan(15 * patience);
    expect(await uuidsOf(second.client)).toEqual(before);
    expect(await readFile(join(directory, 'root-ca.pem'), 'utf8')).toBe(root);
    expect((await second.client.users.listUsers()).filter(({ username }) => username === 'admin')).toHaveLength(1);
    await second.stop();
  });

  it('belongs to one platform: a second platform exits with code 1 and names the process that owns it', async () => {
    const { ready, client } = await startProgram({ directory });
    const second = await runProgram(['start', '--data', directory, '--http', '127.0.0.1:0', '--https', 'off']);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(String(ready.pid));
    expect(second.stderr).toContain(directory);
    expect(second.stderr).not.toMatch(/^\s+at /m);
    expect((await client.auth.getUserProfile()).username).toBe('admin');
  });
});

describe('a failed start', () => {
  const start = (...args: string[]) => runProgram(['start', '--data', join(folder, 'refused'), ...args]);

  it.each([
    ['--http', ['--https', 'off']],
    ['--https', ['--http', '127.0.0.1:0']],
  ])('due to an occupied port exits with code 1 and names %s', async (flag, others) => {
    const occupant = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void occupant.close());
    await once(occupant, 'listening');
    // A listening TCP server has this address type.
    const address = `127.0.0.1:${(occupant.address() as AddressInfo).port}`;
    const { code, stderr } = await start(flag, address, ...others);
    expect(code).toBe(1);
    expect(stderr).toContain(`${address} is in use`);
    expect(stderr).toContain(`${flag} HOST:PORT`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(databasePid(join(folder, 'refused'))).toBeUndefined();
  });

  it.each([
    ['an unknown flag', ['--htp', '127.0.0.1:1'], '--htp'],
    ['an address without a port', ['--http', 'localhost'], '--http'],
    ['no listeners', ['--http', 'off', '--https', 'off'], '--https'],
    ['an unknown log level', ['--log-level', 'loud'], '--log-level'],
    ['a configuration file that does not exist', ['--config', '/nowhere.yaml'], '/nowhere.yaml'],
    ['production without a sealing key', ['--production'], '--sealing-key-file'],
    ['an external database without a sealing key', ['--database-url', 'postgres://localhost/x'], '--sealing-key-file'],
  ])('due to %s exits with code 2 and a one-line message that names the cause', async (_what, args, named) => {
    const { code, stdout, stderr } = await start(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(stdout).toBe('');
  });

  it('due to an error in the environment or configuration file reports where the error is', async () => {
    const environment = await runProgram(['start'], { SIGNETRY_HTTP: 'nonsense' });
    expect([environment.code, environment.stderr]).toEqual([2, expect.stringContaining('SIGNETRY_HTTP')]);
    const file = join(folder, 'signetry.yaml');
    await writeFile(file, 'htps: 127.0.0.1:1\n');
    const fromFile = await start('--config', file);
    expect([fromFile.code, fromFile.stderr]).toEqual([2, expect.stringMatching(/signetry\.yaml:1: .*htps/)]);
  });
});
