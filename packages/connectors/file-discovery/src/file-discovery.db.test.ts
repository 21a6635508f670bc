// File discoveries through the connector interface, with real files, a real database, and processes that end midway.
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { writePem } from '@signetry/pki';
import {
  metaOf,
  start,
  startTestDiscovery,
  waitUntil,
  type TestDiscovery,
  type Values,
} from '@signetry/testkit/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, FILES, fileDiscovery } from './index.ts';
import { bomb, certificateWithKey, makePipe, testFolder, type TestFolder } from './testing/test-files.ts';

let one: Awaited<ReturnType<typeof certificateWithKey>>;
let other: Awaited<ReturnType<typeof certificateWithKey>>;
const folders: TestFolder[] = [];
const folderOf = (): TestFolder => {
  const folder = testFolder();
  folders.push(folder);
  return folder;
};

beforeAll(async () => {
  [one, other] = await Promise.all([certificateWithKey('one.example'), certificateWithKey('other.example')]);
});
afterAll(() => folders.forEach((folder) => folder.remove()));

const on = (folder: TestFolder): Promise<TestDiscovery> =>
  startTestDiscovery(fileDiscovery, { readableDirectories: { web: folder.path } });

async function discover(folder: TestFolder, values: Values = {}, discovery?: TestDiscovery) {
  const own = discovery ?? (await on(folder));
  const { uuid } = await start(own, { [FILES.directories]: ['web'], ...values });
  const found = await waitUntil(own, uuid);
  const metadataOf = (name: keyof typeof DISCOVERY_METADATA) => metaOf(found, DISCOVERY_METADATA[name]);
  const problems = (metadataOf('problems') ?? []).map((text) => String(text).replace(`${folder.path}/`, ''));
  /** Returns one item of a certificate's metadata. */
  const of = (der: Uint8Array, name: keyof typeof CERTIFICATE_METADATA) => {
    const wanted = Buffer.from(der).toString('base64');
    const certificate = found.certificateData.find(({ base64Content }) => base64Content === wanted);
    const told = certificate && metaOf(certificate, CERTIFICATE_METADATA[name]);
    return told?.map((text) => (typeof text === 'string' ? text.replace(`${folder.path}/`, '') : text));
  };
  return { ...found, said: metadataOf, problems, of };
}

describe('a file discovery', () => {
  it('reads every format, and reports which files contain the key', async () => {
    const folder = folderOf();
    const chain = `Some text\n${one.pem}more text\n${writePem('CERTIFICATE', one.root)}`;
    folder.write('a/site.pem', `${await one.keyPem()}${chain}`);
    folder.write('a/closed.pem', `${await other.keyPem('secret')}${other.pem}`);
    folder.write('b/c/leaf.DER', one.leaf);
    folder.write('chain.p7b', one.pkcs7());
    folder.write('chain.pem', writePem('PKCS7', one.pkcs7()));
    folder.write('store.p12', await one.store('PKCS12', 'secret'));
    folder.write('store.jks', await one.store('JKS', 'secret'));
    folder.write('base64.cer', Buffer.from(other.leaf).toString('base64'));
    folder.write('key.pem', await one.keyPem());
    folder.write('notes.txt', one.pem);
    const found = await discover(folder, { [FILES.password]: { secret: 'secret' } });
    expect(found).toMatchObject({ status: 'completed', totalCertificatesDiscovered: 3 });
    expect(found.of(one.leaf, 'source')).toEqual([
      'a/site.pem',
      'b/c/leaf.DER',
      'chain.p7b',
      'chain.pem',
      'store.jks',
      'store.p12',
    ]);
    expect(found.of(one.leaf, 'format')).toEqual(['PEM', 'DER', 'PKCS#7', 'JKS', 'PKCS#12']);
    expect(found.of(one.leaf, 'key')).toEqual(['in the file, unprotected', 'in the file, password-protected']);
    expect(found.of(one.leaf, 'alias')).toEqual(['web']);
    expect(found.of(one.root, 'key')).toBeUndefined();
    expect(found.of(one.root, 'position')).toEqual([1]);
    expect(found.of(other.leaf, 'key')).toEqual(['in the file, password-protected']);
    expect([found.said('files'), found.said('found'), found.said('nothing'), found.problems]).toEqual([
      [9],
      [8],
      [1],
      [],
    ]);
  });

  it('stores no keys or passwords', async () => {
    const folder = folderOf();
    folder.write('site.pem', `${await one.keyPem()}${one.pem}`);
    const discovery = await on(folder);
    await discover(folder, { [FILES.password]: { secret: 'the-password' } }, discovery);
    const { rows } = await discovery.pool.query(
      `SELECT to_jsonb(discovery)::text || (SELECT string_agg(to_jsonb(found)::text, '') FROM connector_file_discovery.found_certificate found)
         || (SELECT coalesce(string_agg(to_jsonb(journal)::text, ''), '') FROM connector_file_discovery.idempotency_journal journal) AS all,
         sealed_secrets FROM connector_file_discovery.discovery`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].sealed_secrets).toBeNull();
    const key = (await one.keyPem()).split('\n')[1] ?? expect.fail();
    const hex = Buffer.from(key, 'base64').toString('hex');
    for (const secret of ['the-password', key, hex]) expect(rows[0].all).not.toContain(secret);
  });

  it('reports unreadable files, and reads all others', async () => {
    const folder = folderOf();
    folder.write('broken.pem', '-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n');
    folder.write('half.pem', `${one.pem}-----BEGIN CERTIFICATE-----\nMIIB`);
    folder.write('closed.p12', await one.store('PKCS12', 'another'));
    folder.write('closed.jks', await one.store('JKS', 'another'));
    folder.write('bomb.p12', bomb(await one.store('PKCS12', 'secret')));
    folder.write('other.jks', Buffer.from('cececece00000002', 'hex'));
    folder.write('garbage.der', Buffer.from([0x30, 0x82, 1, 0, 0x30, 3, 2, 1, 1]));
    folder.write('garbage.pem', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256)));
    truncateSync(folder.write('huge.pem', ''), 20 * 1024 * 1024 * 1024);
    makePipe(join(folder.path, 'pipe.pem'));
    const found = await discover(folder, { [FILES.password]: { secret: 'secret' } });
    expect(found.problems.toSorted()).toEqual([
      'bomb.p12: exceeds the processing limit per file',
      'broken.pem: content is malformed',
      'closed.jks: no specified password opens it',
      'closed.p12: no specified password opens it',
      'garbage.der: content is malformed',
      'half.pem: content is malformed',
      'huge.pem: exceeds the maximum file size',
      'other.jks: unsupported type of protection',
      'pipe.pem: not a regular file',
    ]);
    expect(found.of(one.leaf, 'source')).toEqual(['half.pem']);
    expect([found.status, found.said('failed'), found.said('nothing')]).toEqual(['completed', [8], [1]]);
    expect(found.said('reason')?.[0]).toMatch(/no specified password opens it \(2\): \S+, \S+(?:;|$)/);
  });

  it('names the files that were accepted in a nonstandard format, and up to three of them in the conclusion', async () => {
    const folder = folderOf();
    for (const name of ['a', 'b', 'c', 'd']) folder.write(`${name}.cer`, Buffer.from(`\uFEFF${one.pem}`, 'utf16le'));
    folder.write('plain.pem', one.pem);
    const found = await discover(folder);
    const finding = 'The text is encoded in UTF-16 instead of ASCII.';
    expect(found.problems.toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}.cer: ${finding}`));
    expect(found).toMatchObject({ status: 'completed', totalCertificatesDiscovered: 1 });
    const conclusion = String(found.said('reason')?.[0]).replaceAll(`${folder.path}/`, '');
    expect(conclusion).toMatch(/^accepted in a nonstandard format \(4\): \w\.cer, \w\.cer, \w\.cer and others$/);
  });

  it('follows symbolic links within the directory, but not out of it or in loops', async () => {
    const [folder, outside] = [folderOf(), folderOf()];
    outside.write('secret.pem', other.pem);
    folder.write('archive/cert1.pem', one.pem);
    mkdirSync(join(folder.path, 'live'));
    symlinkSync('../archive/cert1.pem', join(folder.path, 'live/cert.pem'));
    symlinkSync('..', join(folder.path, 'live/up'));
    symlinkSync('self.pem', join(folder.path, 'self.pem'));
    symlinkSync('/nowhere/at/all', join(folder.path, 'gone.pem'));
    symlinkSync(join(outside.path, 'secret.pem'), join(folder.path, 'out.pem'));
    symlinkSync(outside.path, join(folder.path, 'outdir'));
    const found = await discover(folder);
    expect(found.certificateData).toHaveLength(1);
    expect(found.of(one.leaf, 'source')).toEqual(['archive/cert1.pem', 'live/cert.pem']);
    expect(found.problems.toSorted()).toEqual([
      'gone.pem: file no longer exists, or broken symbolic link',
      'out.pem: symbolic link leads outside the directory',
      'outdir: symbolic link leads outside the directory',
      'self.pem: file no longer exists, or broken symbolic link',
    ]);
  });

  it('limits depth, number of files and file names', async () => {
    const folder = folderOf();
    folder.write('a/b/c/deep.pem', one.pem);
    folder.write('a/b/mid.pem', one.pem);
    folder.write('top.config', other.pem);
    const discovery = await on(folder);
    const shallow = await discover(folder, { [FILES.maxDepth]: 2 }, discovery);
    expect([shallow.of(one.leaf, 'source'), shallow.problems]).toEqual([
      ['a/b/mid.pem'],
      ['a/b/c: exceeds the maximum directory depth'],
    ]);
    const few = await discover(folder, { [FILES.maxFiles]: 1 }, discovery);
    expect([few.status, few.said('reason')?.[0]]).toEqual([
      'warning',
      expect.stringContaining('limit of 1 files reached'),
    ]);
    const named = await discover(folder, { [FILES.patterns]: 'TOP.c?nf*' }, discovery);
    expect(named.certificateData).toHaveLength(1);
    expect(named.of(other.leaf, 'source')).toEqual(['top.config']);
  });

  it.skipIf(process.getuid?.() === 0)('reports files that its process is not permitted to read', async () => {
    const folder = folderOf();
    chmodSync(folder.write('a.pem', one.pem), 0);
    expect((await discover(folder)).problems).toEqual(['a.pem: permission denied']);
  });

  it('reports a missing directory', async () => {
    const folder = folderOf();
    const discovery = await startTestDiscovery(fileDiscovery, { readableDirectories: { web: `${folder.path}/gone` } });
    expect((await discover(folder, {}, discovery)).problems).toEqual([
      expect.stringContaining('file no longer exists, or broken symbolic link'),
    ]);
  });
});

describe('a file discovery whose process', () => {
  it.each([
    ['is stopped', (from: TestDiscovery) => from.running.stop?.()],
    [
      'is killed',
      async (from: TestDiscovery, uuid: string) => {
        // A kill leaves a lease that expires, and a process that can no longer write.
        await from.pool.query(
          "UPDATE connector_file_discovery.discovery SET owner = gen_random_uuid(), owned_until = now() - interval '1 s' WHERE uuid = $1",
          [uuid],
        );
      },
    ],
  ])('%s continues in another process, and every file is counted once', async (_name, end) => {
    const folder = folderOf();
    const key = await one.keyPem('secret');
    for (let at = 0; at < 400; at += 1)
      folder.write(`${at % 7}/${at % 3}/${at}.pem`, at % 40 === 0 ? `${key}${one.pem}` : one.pem);
    // Read last, and slowly: the discovery is still running when its process ends.
    const closed = await one.store('PKCS12', 'another');
    for (let at = 0; at < 4; at += 1) folder.write(`z/${at}.p12`, closed);
    const first = await on(folder);
    const second = await first.another();
    const { uuid } = await start(first, { [FILES.directories]: ['web'], [FILES.password]: { secret: 'wrong' } });
    const filesIn = (answer: Parameters<typeof metaOf>[0]) => Number(metaOf(answer, DISCOVERY_METADATA.files)?.[0]);
    const before = await waitUntil(first, uuid, (answer) => filesIn(answer) > 10);
    await end(first, uuid);
    const whole = await waitUntil(second, uuid);
    expect([before.status, filesIn(before) < 404]).toEqual(['inProgress', true]);
    expect([whole.status, filesIn(whole)]).toEqual(['completed', 404]);
    expect(whole.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.times))).toEqual([[400]]);
    expect(metaOf(whole, DISCOVERY_METADATA.failed)).toEqual([4]);
  });
});

describe('form values', () => {
  it('are checked together', async () => {
    const discovery = await on(folderOf());
    const values = { [FILES.directories]: ['etc'], [FILES.maxDepth]: 0 };
    await expect(start(discovery, values)).rejects.toMatchObject({ status: 422, problems: { length: 2 } });
    await expect(start(discovery, { [FILES.directories]: ['web'], [FILES.patterns]: '../*' })).rejects.toThrow(
      '" is not a file name pattern:',
    );
    const none = await startTestDiscovery(fileDiscovery);
    await expect(start(none, { [FILES.directories]: ['web'] })).rejects.toThrow('--discovery-directories');
  });

  it('can refer to credentials, whose passwords are tried', async () => {
    const folder = folderOf();
    folder.write('store.p12', await one.store('PKCS12', 'second'));
    const credential = (secret: string) => ({
      uuid: '00000000-0000-4000-8000-000000000001',
      name: secret,
      kind: 'Basic',
      attributes: [
        {
          uuid: '04506d45-c865-4ddc-b6fc-117ee5d5c8e7',
          name: 'password',
          type: 'data',
          contentType: 'secret',
          content: [{ data: { secret } }],
          properties: {
            label: 'Password',
            visible: true,
            required: true,
            readOnly: false,
            list: false,
            multiSelect: false,
          },
        },
      ],
    });
    const found = await discover(folder, { [FILES.credentials]: [credential('first'), credential('second')] });
    expect(found.of(one.leaf, 'format')).toEqual(['PKCS#12']);
  });
});
