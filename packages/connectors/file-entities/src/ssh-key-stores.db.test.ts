// Key stores over SSH, on a real OpenSSH server: lost connections, full disks and concurrent changes.
import { watch, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toBase64 } from '@signetry/pki';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { HOST_KEY } from './entities/present-entity.ts';
import { LOCATION } from './index.ts';
import { startCuttingProxy } from './testing/cutting-proxy.ts';
import { addRemote, csrValues, issueAs, pushAs, storeValues } from './testing/key-stores.ts';
import { HAS_SMALL_DISK, HAS_SSHD, SMALL_DISK_NOTE, SSHD_NOTE, startSshServer } from './testing/ssh-server.ts';
import {
  detail,
  issueFor,
  makeRequest,
  rejectionOf,
  removeFrom,
  startTestFiles,
  text,
  type TestLocation,
} from './testing/test-files.ts';

describe.skipIf(!HAS_SSHD)(`key stores over SSH${SSHD_NOTE}`, async () => {
  if (!HAS_SSHD) return;
  const server = await startSshServer();
  afterAll(() => server.stop());
  const { call, authority, withContext } = await startTestFiles({ reloadCommands: { works: 'exit 0' } });
  const entity = await addRemote(call, server);

  let count = 0;
  async function newLocation(
    { port, within = server.folder, ...facts }: { port?: number; within?: string; type?: 'PKCS12' | 'JKS' } = {},
    ...more: TestLocation['location']
  ): Promise<TestLocation & { at: string; file: string }> {
    count += 1;
    const at = join(within, `store-${count}`);
    if (within === server.folder) await mkdir(at);
    const own = port === undefined ? entity : await addRemote(call, { ...server, port });
    const file = join(at, 'keystore');
    return { call, entity: own, location: storeValues(file, facts.type ?? 'JKS', ...more), at, file };
  }

  it.each(['PKCS12', 'JKS'] as const)(
    'are created, renewed and emptied without a change to their file mode: %s',
    async (type) => {
      const place = await newLocation({ type }, text(LOCATION.reloadCommand, 'works'));
      await issueAs(place, 'mine', authority);
      await chmod(place.file, 0o640);
      const certificate = await issueAs(place, 'mine', authority);
      expect(((await stat(place.file)).mode & 0o777).toString(8)).toBe('640');
      const { certificates, metadata } = await detail(place);
      expect(certificates).toMatchObject([{ certificateData: toBase64(certificate), withKey: true }]);
      expect(metadata).toMatchObject([{ name: HOST_KEY, content: [{ data: server.fingerprint }] }]);
      await removeFrom(place, certificates[0]?.metadata ?? []);
      expect((await detail(place)).certificates).toEqual([]);
      expect(await readdir(place.at)).toEqual(['keystore']);
    },
  );

  it.each([
    ['while the new store is written', /\.part$/, /was lost\. Nothing was changed\.$/],
    ['between writing and renaming', /\.previous$/, /was lost\. The previous files were restored\.$/],
  ])('stay unchanged if the connection is cut %s', async (_when, name, words) => {
    const proxy = await startCuttingProxy(server.port);
    onTestFinished(() => proxy.close());
    const place = await newLocation({ port: proxy.port });
    await issueAs(place, 'mine', authority);
    const before = await readFile(place.file);
    const certificate = issueFor(authority, (await makeRequest(place, { values: csrValues('mine') })).csr);
    let cuts = 0;
    const watcher = watch(place.at, (_event, changed) => {
      if (!changed || !name.test(changed) || cuts > 0) return;
      cuts += 1;
      proxy.cut();
    });
    onTestFinished(() => watcher.close());
    const refusal = await rejectionOf(pushAs(place, 'mine', certificate));
    expect(refusal).toMatch(/^503 .*the connection to 127\.0\.0\.1:\d+ was lost/);
    expect(refusal).toMatch(words);
    expect(cuts).toBe(1);
    expect((await readFile(place.file)).equals(before)).toBe(true);
    expect((await readdir(place.at)).filter((each) => each.includes('.part'))).toEqual([]);
    await pushAs(place, 'mine', certificate);
    expect((await detail(place)).certificates).toMatchObject([
      { certificateData: toBase64(certificate), withKey: true },
    ]);
  });

  it('are not overwritten if someone else has changed them in the meantime', async () => {
    const place = await newLocation();
    await issueAs(place, 'mine', authority);
    const certificate = issueFor(authority, (await makeRequest(place, { values: csrValues('mine') })).csr);
    const watcher = watch(place.at, (_event, changed) => {
      if (changed?.endsWith('.part')) writeFileSync(place.file, 'from someone else');
    });
    onTestFinished(() => watcher.close());
    expect(await rejectionOf(pushAs(place, 'mine', certificate))).toMatch(
      /^422 .*changed by someone else in the meantime/,
    );
    expect(await readFile(place.file, 'utf8')).toBe('from someone else');
    expect((await readdir(place.at)).filter((each) => each.includes('.part'))).toEqual([]);
  });

  it.skipIf(!HAS_SMALL_DISK)(`are left unchanged if the disk is full${SMALL_DISK_NOTE}`, async () => {
    // The disk exists only in the server's mount namespace, so the server fills it.
    const place = await newLocation({ within: server.smallDisk });
    const run = await withContext({
      reloadCommands: {
        prepare: `mkdir -p ${place.at}`,
        fill: `cat /dev/zero > ${server.smallDisk}/filler || true`,
        free: `rm ${server.smallDisk}/filler`,
      },
    });
    const elsewhere = await newLocation();
    const command = (name: string) => {
      const location = [...elsewhere.location, text(LOCATION.reloadCommand, name)];
      return issueAs({ ...elsewhere, call: run, location }, 'elsewhere', authority);
    };
    await command('prepare');
    const first = await issueAs(place, 'mine', authority);
    const waiting = issueFor(authority, (await makeRequest(place, { values: csrValues('mine') })).csr);
    await command('fill');
    expect(await rejectionOf(pushAs(place, 'mine', waiting))).toMatch(/^422 Cannot write .*disk is full\. Nothing was/);
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(first), withKey: true }]);
    await command('free');
    await pushAs(place, 'mine', waiting);
    expect((await detail(place)).certificates).toMatchObject([{ certificateData: toBase64(waiting), withKey: true }]);
  });

  it('are not accessed if the host key has changed', async () => {
    const place = await newLocation();
    await issueAs(place, 'mine', authority);
    const changed = await server.again();
    onTestFinished(() => changed.stop());
    expect(await rejectionOf(detail(place))).toMatch(/^422 The host key of .* changed: .*Nothing was sent/);
  });
});
