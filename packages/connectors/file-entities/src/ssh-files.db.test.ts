// Entities over SSH, on a real OpenSSH server: files, permissions, lost connections, full disks and changed keys.
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { schemaNameOf } from '@signetry/connector-sdk';
import { entityProviderOperations as operations } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import ssh2 from 'ssh2';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { HOST_KEY } from './entities/present-entity.ts';
import { ENTITY, fileEntities, LOCATION } from './index.ts';
import { startCuttingProxy } from './testing/cutting-proxy.ts';
import {
  HAS_SMALL_DISK,
  HAS_SSHD,
  makeSshKey,
  SMALL_DISK_NOTE,
  SSHD_NOTE,
  startSshServer,
} from './testing/ssh-server.ts';
import {
  addEntity,
  contentsOf,
  detail,
  issueFor,
  issueInto,
  locationValues,
  makeRequest,
  push,
  rejectionOf,
  removeFrom,
  secret,
  sshValues,
  startTestFiles,
  text,
  type TestLocation,
} from './testing/test-files.ts';

describe.skipIf(!HAS_SSHD)(`files over SSH${SSHD_NOTE}`, async () => {
  if (!HAS_SSHD) return;
  const server = await startSshServer();
  afterAll(() => server.stop());
  const { call, authority, pool, withContext } = await startTestFiles({
    reloadCommands: { works: 'exit 0', fails: 'echo "cannot bind" >&2; exit 7' },
  });
  const entity = await addEntity(call, sshValues(server));

  let count = 0;
  async function newLocation(
    facts: { port?: number; in?: string } = {},
    ...more: TestLocation['location']
  ): Promise<TestLocation & { at: string }> {
    count += 1;
    const at = join(facts.in ?? server.folder, `site-${count}`);
    if (facts.in === undefined) await mkdir(at);
    const files = { key: join(at, 'server.key'), certificate: join(at, 'server.crt') };
    const own = facts.port === undefined ? entity : await addEntity(call, sshValues({ ...server, port: facts.port }));
    return { call, entity: own, location: locationValues(files, ...more), at };
  }

  it('are written, shown, renewed and removed like local files', async () => {
    const place = await newLocation(
      {},
      text(LOCATION.reloadCommand, 'works'),
      text(LOCATION.owner, String(process.getuid?.())),
    );
    await issueInto(place, authority);
    const certificate = await issueInto(place, authority);
    const files = await contentsOf(place.at);
    expect(Object.keys(files)).toEqual(['server.crt', 'server.crt.previous', 'server.key', 'server.key.previous']);
    expect(files['server.key']).toMatch(/^600 -----BEGIN PRIVATE KEY/);
    expect(files['server.crt']).toMatch(/^644 /);
    const { certificates, metadata } = await detail(place);
    expect(certificates).toMatchObject([{ certificateData: toBase64(certificate), withKey: true }]);
    expect(metadata).toMatchObject([{ name: HOST_KEY, content: [{ data: server.fingerprint }] }]);
    await removeFrom(place, certificates[0]?.metadata ?? []);
    expect(await contentsOf(place.at)).toEqual({});
  });

  it('are restored if the reload fails', async () => {
    const place = await newLocation();
    await issueInto(place, authority);
    const before = await contentsOf(place.at);
    const failing = { ...place, location: [...place.location, text(LOCATION.reloadCommand, 'fails')] };
    expect(await rejectionOf(issueInto(failing, authority))).toMatch(
      /^422 The reload command "fails" failed on 127\.0\.0\.1:\d+ \(exit code 7: cannot bind\)\. The previous files/,
    );
    const after = await contentsOf(place.at);
    expect([after['server.key'], after['server.crt']]).toEqual([before['server.key'], before['server.crt']]);
  });

  it.each([
    ['after the old files are kept', 'server.key.previous'],
    ['after the new key is in place', 'server.key'],
  ])('are restored if the connection is cut %s', async (_when, name) => {
    const proxy = await startCuttingProxy(server.port);
    onTestFinished(() => proxy.close());
    const place = await newLocation({ port: proxy.port });
    await issueInto(place, authority);
    const before = await contentsOf(place.at);
    const certificate = issueFor(authority, (await makeRequest(place)).csr);
    let cuts = 0;
    const watcher = watch(place.at, (_event, changed) => {
      if (changed !== name || cuts > 0) return;
      cuts += 1;
      proxy.cut();
    });
    onTestFinished(() => watcher.close());
    expect(await rejectionOf(push(place, certificate))).toMatch(
      /^503 .*the connection to 127\.0\.0\.1:\d+ was lost\. The previous files were restored\./,
    );
    expect(cuts).toBe(1);
    const after = await contentsOf(place.at);
    expect([after['server.key'], after['server.crt']]).toEqual([before['server.key'], before['server.crt']]);
    expect(Object.keys(after).filter((each) => each.includes('.part'))).toEqual([]);
    await push(place, certificate);
    expect((await detail(place)).certificates).toMatchObject([
      { certificateData: toBase64(certificate), withKey: true },
    ]);
  });

  it.skipIf(!HAS_SMALL_DISK)(`are left unchanged if the disk is full${SMALL_DISK_NOTE}`, async () => {
    // The disk exists only in the server's mount namespace, so the server fills it.
    const place = await newLocation({ in: server.smallDisk });
    const run = await withContext({
      reloadCommands: {
        prepare: `mkdir -p ${place.at}`,
        fill: `cat /dev/zero > ${server.smallDisk}/filler || true`,
        free: `rm ${server.smallDisk}/filler`,
      },
    });
    const elsewhere = await newLocation();
    const command = (name: string) =>
      issueInto(
        { ...elsewhere, call: run, location: [...elsewhere.location, text(LOCATION.reloadCommand, name)] },
        authority,
      );
    await command('prepare');
    const first = await issueInto(place, authority);
    const waiting = issueFor(authority, (await makeRequest(place)).csr);
    await command('fill');
    expect(await rejectionOf(push(place, waiting))).toMatch(/^422 Cannot write .*disk is full\. Nothing was changed\./);
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(first), withKey: true }]);
    await command('free');
    await push(place, waiting);
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(waiting), withKey: true }]);
  });

  it('require absolute paths, and server errors are explained', async () => {
    const at = (certificate: string) =>
      rejectionOf(detail({ call, entity, location: locationValues({ key: '/tmp/k', certificate }) }));
    expect(await at('server.crt')).toMatch(/^422 "server.crt" must be an absolute path/);
    expect(await at('/etc/../server.crt')).toMatch(/^422 ".*" must be an absolute path/);
    expect(await at('/etc/localtime')).toMatch(/symbolic link|not a regular file/);
    const nowhere = locationValues({ key: '/no-such-dir/k', certificate: '/no-such-dir/c' });
    expect(await rejectionOf(issueInto({ call, entity, location: nowhere }, authority))).toMatch(
      /^422 Cannot write \/no-such-dir\/k\.new: no such file or directory\.$/,
    );
    if (process.getuid?.() === 0) return;
    const place = await newLocation();
    await chmod(place.at, 0o500);
    expect(await rejectionOf(issueInto(place, authority))).toMatch(
      /^422 Cannot write .*permission denied for the SSH user/,
    );
  });

  it('are not accessed on a blocked host', async () => {
    const guarded = await withContext({
      resolveHost: () => Promise.reject(new Error('127.0.0.1 has a loopback address, which is blocked.')),
    });
    expect(await rejectionOf(addEntity(guarded, sshValues(server)))).toBe(
      '422 127.0.0.1 has a loopback address, which is blocked.',
    );
  });

  it('have secrets that are sealed, never shown, and not sent to a different host', async () => {
    const table = `"${schemaNameOf(fileEntities)}".entity`;
    const { rows } = await pool.query<{ all: string }>(`SELECT string_agg(entity::text, ' ') AS all FROM ${table}`);
    const line = server.privateKey.split('\n')[2] ?? '';
    expect(rows[0]?.all).toContain('127.0.0.1');
    expect(rows[0]?.all).not.toContain(line);
    expect(JSON.stringify(await call(operations.listEntityInstances, {}))).not.toContain('PRIVATE');
    const update = (values: TestLocation['location']) =>
      call(operations.updateEntityInstance, {
        params: { entityUuid: entity },
        body: { name: 'renamed', kind: 'PEM', attributes: values },
      });
    const without = sshValues(server).filter(({ name }) => name !== ENTITY.privateKey);
    expect((await update(without)).name).toBe('renamed');
    const moved = without.map((each) => (each.name === ENTITY.host ? text(ENTITY.host, 'localhost') : each));
    expect(await rejectionOf(update(moved))).toMatch(/^422 SSH requires a password/);
  });

  it('accept a private key without line breaks, and explain why a key cannot be used', async () => {
    const inOneLine = server.privateKey.replaceAll('\n', '');
    await addEntity(call, sshValues({ ...server, privateKey: inOneLine }));
    const bad = sshValues({ ...server, privateKey: 'no key' });
    expect(await rejectionOf(addEntity(call, bad))).toMatch(/^422 Cannot read the SSH private key/);
    const closed = makeSshKey({ passphrase: 'open', cipher: 'aes256-ctr', rounds: 16 });
    const locked = sshValues({ ...server, privateKey: closed.private });
    expect(await rejectionOf(addEntity(call, locked))).toMatch(/^422 The SSH private key is encrypted/);
    const other = sshValues({ ...server, privateKey: makeSshKey().private });
    expect(await rejectionOf(addEntity(call, other))).toMatch(/^422 127.* rejected the user .*not accepted/);
  });

  it('are not accessed if the host key has changed, until the new key is specified', async () => {
    const place = await newLocation();
    await issueInto(place, authority);
    const changed = await server.again();
    onTestFinished(() => changed.stop());
    const words = await rejectionOf(detail(place));
    expect(words).toMatch(/^422 The host key of .* changed: .*Nothing was sent/);
    expect(words).toContain(server.fingerprint);
    expect(words).toContain(changed.fingerprint);
    await call(operations.updateEntityInstance, {
      params: { entityUuid: entity },
      body: { name: 'web', kind: 'PEM', attributes: [...sshValues(server), text(ENTITY.hostKey, changed.fingerprint)] },
    });
    expect((await detail(place)).certificates).toHaveLength(1);
    await changed.stop();
    expect(await rejectionOf(detail(place))).toMatch(/^503 Cannot reach .* over SSH/);
  });
});

describe('a server that accepts passwords', async () => {
  const { call } = await startTestFiles();
  const host = makeSshKey();

  async function listen(method: 'password' | 'keyboard-interactive') {
    const server = new ssh2.Server({ hostKeys: [host.private] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (attempt) => {
        if (attempt.method === 'keyboard-interactive' && method === attempt.method)
          attempt.prompt([{ prompt: 'Password:', echo: false }], ([answer]) =>
            answer === 'right' ? attempt.accept() : attempt.reject(),
          );
        else if (attempt.method === 'password' && method === attempt.method && attempt.password === 'right')
          attempt.accept();
        else attempt.reject([method]);
      });
      client.on('session', (accept) => void accept());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const values = (password: string) => [
      ...sshValues({ port, username: 'web', privateKey: '' }).filter(({ name }) => name !== ENTITY.privateKey),
      secret(ENTITY.password, password),
    ];
    return values;
  }

  it.each(['password', 'keyboard-interactive'] as const)(
    'accepts the correct password via %s, and rejects all others',
    async (method) => {
      const values = await listen(method);
      expect(await rejectionOf(addEntity(call, values('wrong')))).toMatch(/^422 .* rejected the user web/);
      // The server supports nothing but authentication.
      expect(await rejectionOf(addEntity(call, values('right')))).toMatch(/^422 .* does not offer SFTP/);
    },
  );
});
