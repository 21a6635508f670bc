// Reading of honest and dishonest logs, over real HTTP on loopback.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLoggedAuthority, startCtLog, type CtLog, type CtLogEntry } from '@signetry/testkit/ct-log';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  logKeyOf,
  LogClient,
  readCheckpoint,
  readRange,
  TrustedTree,
  type LoggedCertificate,
  type TreeHead,
} from './index.ts';

let authority: Awaited<ReturnType<typeof createLoggedAuthority>>;
let filler: CtLogEntry;
let log: CtLog;
let client: LogClient;

beforeAll(async () => {
  authority = await createLoggedAuthority();
  filler = { certificate: authority.issue('www.elsewhere.test').certificate, chain: [authority.der] };
});
beforeEach(async () => {
  log = await startCtLog();
  client = clientOf(log.url);
});
afterEach(async () => {
  client.close();
  await log.close();
});

const clientOf = (url: string, facts: Partial<ConstructorParameters<typeof LogClient>[0]> = {}) =>
  new LogClient({
    url,
    parallel: 4,
    ratePerSecond: 10_000,
    timeoutMs: 2_000,
    maxPauseMs: 1,
    signal: new AbortController().signal,
    ...facts,
  });
const fillers = (count: number): CtLogEntry[] => Array.from({ length: count }, () => filler);
const headOf = async () => readCheckpoint(await client.checkpoint(), logKeyOf(log.spki));
const treeOf = async () => new TrustedTree(await headOf(), (tile) => client.tile(tile));

async function read(from = 0, to = log.size, past?: TreeHead) {
  const head = past ?? (await headOf());
  const tree = new TrustedTree(head, (tile) => client.tile(tile));
  const found: LoggedCertificate[] = [];
  let [entries, unreadable] = [0, 0];
  await readRange(
    { client, tree, head, domains: ['example.com'], withIssuers: true },
    {
      from,
      to,
      parallel: 3,
      signal: new AbortController().signal,
      onTile(_number, _next, tile) {
        found.push(...tile.found);
        entries += tile.entries;
        unreadable += tile.unreadable.length;
      },
    },
  );
  return { found: found.toSorted((one, other) => one.index - other.index), entries, unreadable };
}

describe('a log', () => {
  it.each([1, 2, 255, 256, 257, 700, 65_536 + 300])('of %i entries is read completely', async (size) => {
    const wanted = authority.issue('www.example.com');
    log.add(...fillers(size - 1), { certificate: wanted.certificate, chain: [authority.der] });
    const { found, entries } = await read(Math.max(0, size - 600));
    expect(entries).toBe(Math.min(size, 600));
    expect(found.map(({ index, der }) => [index, Buffer.from(der).equals(wanted.certificate)])).toEqual([
      [size - 1, true],
    ]);
    expect(found[0]?.issuers.map(({ der }) => Buffer.from(der).equals(authority.der))).toEqual([true]);
  });

  it('returns only names at or below the specified domains', async () => {
    const names = ['example.com', 'a.b.EXAMPLE.com', '*.example.com', 'notexample.com', 'example.com.evil.test'];
    log.add(...names.map((name) => ({ certificate: authority.issue('cn.test', name).certificate })));
    expect((await read()).found.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('contains precertificates, which have the same identity as their certificates', async () => {
    const pair = authority.issue('www.example.com');
    log.add({ ...pair, chain: [authority.der] }, { certificate: pair.certificate });
    log.replace(0, { precertificate: pair.precertificate, tbs: pair.tbs, chain: [authority.der] });
    const { found } = await read();
    expect(found.map(({ kind }) => kind)).toEqual(['precertificate', 'certificate']);
    expect(found[0]?.identity).toBe(found[1]?.identity);
    expect(found[0] && Buffer.from(found[0].der).equals(pair.precertificate)).toBe(true);
  });

  it('can contain unreadable entries, which are reported and skipped', async () => {
    log.add({ certificate: Buffer.from('garbage with www.example.com in it') }, filler);
    expect(await read()).toMatchObject({ entries: 2, found: [], unreadable: 1 });
  });

  it('can omit partial tiles once the full ones exist', async () => {
    log.add(...fillers(300));
    const head = await headOf();
    log.add(...fillers(300));
    const dropped = ['tile/data/001.p/44', 'tile/0/001.p/44'];
    log.intercept = (path, response) => dropped.includes(path) && Boolean(response.writeHead(404).end());
    expect((await read(0, 300, head)).entries).toBe(300);
    expect(log.requests).toEqual(expect.arrayContaining(['tile/data/001', 'tile/0/001']));
  });

  it('that has grown is distinguished from a log with a different history', async () => {
    log.add(...fillers(40));
    const pasts = [await headOf()];
    for (const more of [1, 214, 1, 1, 300, 65_600]) {
      log.add(...fillers(more));
      pasts.push(await headOf());
      const tree = await treeOf();
      for (const past of pasts) await tree.assertGrownFrom(past);
    }
    log.replace(7, { certificate: authority.issue('www.other.test').certificate });
    const changed = await treeOf();
    for (const past of pasts)
      await expect(changed.assertGrownFrom(past)).rejects.toThrow('The log is inconsistent with the last discovery:');
    log.shrink(39);
    await expect((await treeOf()).assertGrownFrom(pasts[0] ?? expect.fail())).rejects.toThrow('has shrunk');
  });
});

describe('a log that provides false data', () => {
  it('in its signature is rejected', async () => {
    log.add(...fillers(3));
    const text = await client.checkpoint();
    const other = await startCtLog();
    expect(() => readCheckpoint(text, logKeyOf(other.spki))).toThrow('has no signature by the specified log key.');
    await other.close();
    const larger = text.replace('\n3\n', '\n4\n');
    expect(() => readCheckpoint(larger, logKeyOf(log.spki))).toThrow('is not valid');
    expect(readCheckpoint(larger, undefined)).toMatchObject({ size: 4, signedAtMs: undefined });
    for (const bad of ['', 'x', 'a\n-1\nAA==\n\n', 'a\n1\nAA==\n\n', `a\n99999999999999999\n${'A'.repeat(43)}=\n\n`])
      expect(() => readCheckpoint(bad, undefined)).toThrow('no checkpoint');
  });

  it.each([
    ['entries', 'tile/data/000'],
    ['hashes', 'tile/1/000.p/2'],
    ['the hashes of the last entries', 'tile/0/002.p/88'],
  ])('in %s is rejected', async (_what, path) => {
    log.add(...fillers(600));
    const real = new Uint8Array(await (await fetch(`${log.url}/${path}`)).arrayBuffer());
    const changed = Uint8Array.from(real, (octet, at) => (at === 3 ? octet ^ 1 : octet));
    log.intercept = (asked, response) => asked === path && Boolean(response.end(changed));
    await expect(read()).rejects.toMatchObject({ kind: 'false' });
  });

  it('in a precertificate or an issuer is rejected', async () => {
    const [one, other] = [authority.issue('www.example.com'), authority.issue('www.example.com')];
    log.add({ precertificate: other.precertificate, tbs: one.tbs });
    await expect(read()).rejects.toThrow(
      'of the log contains a different precertificate than the one that the log signed.',
    );
    log.replace(0, { precertificate: one.precertificate, tbs: one.tbs, chain: [authority.der] });
    log.intercept = (path, response) => path.startsWith('issuer/') && Boolean(response.end('another'));
    await expect(read()).rejects.toThrow('The log returned a different certificate for the issuer fingerprint');
  });
});

describe('a faulty log', () => {
  it('is retried, then abandoned', async () => {
    log.add(...fillers(3));
    let failures = 0;
    log.intercept = (_path, response) => failures++ < 3 && Boolean(response.writeHead(503).end());
    expect((await read()).entries).toBe(3);
    log.intercept = (path, response) => path.includes('data') && Boolean(response.writeHead(500).end());
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('status 500') });
    log.intercept = (path, response) => path.includes('data') && Boolean(response.writeHead(404).end());
    await expect(read()).rejects.toThrow('does not serve /tile/data/000.p/3');
  });

  it.each([
    ['garbage', (response: import('node:http').ServerResponse) => response.end('garbage')],
    [
      'a bomb',
      (response: import('node:http').ServerResponse) => response.setHeader('content-encoding', 'gzip').end('x'),
    ],
  ])('is rejected if it sends %s', async (_what, answer) => {
    log.add(...fillers(300));
    log.intercept = (path, response) => path.startsWith('tile/data') && Boolean(answer(response));
    await expect(read()).rejects.toMatchObject({ name: 'LogError' });
  });

  it('is abandoned if its response never ends', async () => {
    const impatient = clientOf(log.url, { timeoutMs: 50 });
    log.intercept = (_path, response) => response.write('more ');
    await expect(impatient.checkpoint()).rejects.toThrow('Cannot fetch /checkpoint: The log did not respond in time.');
    log.intercept = (_path, response) => {
      const more = (): void =>
        void (response.writableEnded || (response.write('x'.repeat(60_000)), setImmediate(more)));
      more();
      response.on('close', () => response.end());
      return true;
    };
    await expect(client.checkpoint()).rejects.toThrow('The log sent more than');
    impatient.close();
  });

  it('is not followed if it redirects', async () => {
    const asked: string[] = [];
    const inside = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/secret`;
    log.intercept = (_path, response) => Boolean(response.writeHead(302, { location }).end());
    await expect(client.checkpoint()).rejects.toThrow('redirect');
    expect(asked).toEqual([]);
    await new Promise((resolve) => inside.close(resolve));
  });

  it('is not contacted if the host blocks its address or its name', async () => {
    const resolve = () => Promise.reject(new Error('Connections to this address are not allowed.'));
    for (const url of [log.url, log.url.replace('127.0.0.1', 'localhost')]) {
      const closed = clientOf(url, { resolve });
      await expect(closed.checkpoint()).rejects.toMatchObject({
        kind: 'notAllowed',
        message: 'Connections to this address are not allowed.',
      });
      closed.close();
    }
    expect(log.requests).toEqual([]);
  });
});
