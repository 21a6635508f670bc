// CT log discoveries through the connector interface: a real log on loopback and a real database.
import type { CtLog } from '@signetry/testkit/ct-log';
import {
  metaOf,
  remove,
  start,
  startTestDiscovery,
  waitUntil,
  type TestDiscovery,
  type Values,
} from '@signetry/testkit/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, LOG, logDiscovery } from './index.ts';
import { egress, testLogs, valuesFor, type TestLogs } from './testing/test-logs.ts';

let discovery: TestDiscovery;
let logs: TestLogs;
let authority: TestLogs['authority'];
let filler: TestLogs['filler'];
let fillers: TestLogs['fillers'];
let logged: TestLogs['logged'];
let logOf: TestLogs['logOf'];
beforeAll(async () => {
  [discovery, logs] = await Promise.all([startTestDiscovery(logDiscovery, { egress }), testLogs()]);
  ({ authority, filler, fillers, logged, logOf } = logs);
});
afterAll(() => logs.close());

async function discover(log: CtLog, values: Values = {}) {
  const { uuid } = await start(discovery, valuesFor(log, values));
  const found = await waitUntil(discovery, uuid);
  const meta = (name: keyof typeof DISCOVERY_METADATA) => metaOf(found, DISCOVERY_METADATA[name]);
  const entries = found.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.entry)?.[0]);
  return { ...found, said: meta, entries };
}

describe('a CT log discovery', () => {
  it('finds matching certificates and their issuers, and reports where each is logged', async () => {
    const log = await logOf(...fillers(300), logged('www.example.com'), ...fillers(5));
    const found = await discover(log, { [LOG.issuers]: true });
    expect(found).toMatchObject({ status: 'completed', totalCertificatesDiscovered: 2 });
    const [own, issuer] = found.certificateData;
    const kinds = [own, issuer].map((each) => each && metaOf(each, CERTIFICATE_METADATA.kind));
    expect(kinds).toEqual([['certificate'], ['issuer of a certificate']]);
    expect(own && metaOf(own, CERTIFICATE_METADATA.source)).toEqual([log.url]);
    expect(own && metaOf(own, CERTIFICATE_METADATA.entry)).toEqual([300]);
    expect(own && metaOf(own, CERTIFICATE_METADATA.loggedAt)).toEqual(['2023-11-14T22:13:20.300Z']);
    expect(found.said('log')).toEqual(['log.example/2026h2']);
    expect(found.said('signature')).toEqual(['valid, signed at 2027-01-15T08:00:00.000Z']);
    expect([found.said('read'), found.said('treeSize'), found.said('matching')]).toEqual([[306], [306], [1]]);
  });

  it('continues where the previous discovery for the same domains ended', async () => {
    const log = await logOf(...fillers(10), logged('a.example.com'));
    expect((await discover(log)).entries).toEqual([10]);
    log.add(...fillers(300), logged('b.example.com'));
    const second = await discover(log);
    expect([second.entries, second.said('read'), second.said('firstEntry')]).toEqual([[311], [301], [11]]);
    expect((await discover(log)).said('read')).toEqual([0]);
    expect((await discover(log, { [LOG.domains]: 'example.com, example.org' })).entries).toEqual([10, 311]);
    expect((await discover(log, { [LOG.start]: 'beginning' })).entries).toEqual([10, 311]);
    const latest = await discover(log, { [LOG.start]: 'latest', [LOG.latest]: 2 });
    expect([latest.entries, latest.said('read')]).toEqual([[311], [2]]);
  });

  it('returns precertificates only if the final certificates are missing', async () => {
    const [both, alone, reversed] = ['both', 'alone', 'reversed'].map((name) => authority.issue(`${name}.example.com`));
    if (!both || !alone || !reversed) throw new Error('There are three.');
    const log = await logOf(both, alone, { certificate: reversed.certificate }, reversed, ...fillers(300));
    // Each pair has a certificate and a precertificate; only one of them is logged.
    for (const [index, pair] of [both, alone].entries())
      log.replace(index, { precertificate: pair.precertificate, tbs: pair.tbs });
    log.replace(3, { precertificate: reversed.precertificate, tbs: reversed.tbs });
    log.add({ certificate: both.certificate });
    const found = await discover(log);
    expect(found.certificateData.map(({ base64Content }) => base64Content)).toEqual(
      [reversed.certificate, both.certificate, alone.precertificate].map((der) => Buffer.from(der).toString('base64')),
    );
    const last = found.certificateData.at(-1);
    expect(last && metaOf(last, CERTIFICATE_METADATA.kind)?.[0]).toContain(
      'precertificate; its certificate is not among',
    );
    expect(found.said('precertificates')).toEqual([1]);
  });

  it('reports unreadable entries', async () => {
    const log = await logOf({ certificate: Buffer.from('this has www.example.com in it') }, logged('example.com'));
    const found = await discover(log);
    expect(found.entries).toEqual([1]);
    expect(found.said('problems')?.[0]).toContain('Entry 0: it may contain such a name');
  });
});

describe('a CT log', () => {
  it('is rejected with an explanation if its history was rewritten, and the next discovery starts at the same position', async () => {
    const log = await logOf(...fillers(600), logged('www.example.com'));
    await discover(log);
    log.add(...fillers(10));
    log.replace(3, logged('other.example.com'));
    const lying = await discover(log);
    expect(lying.status).toBe('failed');
    expect(lying.said('reason')?.[0]).toContain('The log is inconsistent with the last discovery: its first');
    log.shrink(500);
    expect((await discover(log)).said('reason')?.[0]).toContain('has shrunk: it had 601 entries');
  });

  it('is rejected if it is signed with a different key', async () => {
    const [log, other] = [await logOf(filler), await logOf()];
    const found = await discover(log, { [LOG.key]: Buffer.from(other.spki).toString('base64') });
    expect([found.status, found.said('reason')?.[0]]).toEqual(['failed', expect.stringContaining('no signature')]);
    const unchecked = await discover(log, { [LOG.key]: '' });
    expect(unchecked.said('signature')?.[0]).toContain('not checked');
  });

  it('ends the discovery with a warning if it stops serving entries, and the next discovery continues from there', async () => {
    const log = await logOf(logged('a.example.com'), ...fillers(600), logged('b.example.com'));
    log.intercept = (path, response) => path.startsWith('tile/data/001') && Boolean(response.writeHead(404).end());
    const found = await discover(log, { [LOG.parallel]: 3 });
    expect([found.status, found.entries, found.said('read')]).toEqual(['warning', [0], [256]]);
    expect(found.said('reason')?.[0]).toContain('Entries 256 to 601 were not read');
    log.intercept = undefined;
    expect((await discover(log)).entries).toEqual([601]);
  });

  it('is rejected immediately if it is at a blocked IP address', async () => {
    const forbidden = { [LOG.url]: 'http://127.0.0.9/', [LOG.domains]: 'a.test', [LOG.start]: 'beginning' };
    await expect(start(discovery, forbidden)).rejects.toMatchObject({ status: 422 });
    const closed = await startTestDiscovery(logDiscovery);
    await expect(start(closed, { ...forbidden, [LOG.url]: 'http://log.test' })).rejects.toMatchObject({ status: 422 });
  });

  it('causes the discovery to fail if it returns errors', async () => {
    const log = await logOf(filler);
    log.intercept = (_path, response) => Boolean(response.writeHead(403).end());
    const found = await discover(log);
    expect([found.status, found.said('reason')?.[0]]).toEqual(['failed', expect.stringContaining('status 403')]);
  });
});

describe('a CT log discovery whose process', () => {
  it('is notified of its deletion sends no further requests to the log', async () => {
    const log = await logOf(...fillers(256 * 60));
    const { uuid } = await start(discovery, valuesFor(log, { [LOG.ratePerSecond]: 30 }));
    await waitUntil(discovery, uuid, (answer) => Number(metaOf(answer, DISCOVERY_METADATA.read)?.[0]) > 0);
    await remove(discovery, uuid);
    const asked = log.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    // At most the requests that were in flight.
    expect(log.requests.length - asked).toBeLessThanOrEqual(4);
  });
});

describe('form values', () => {
  it('are checked together', async () => {
    const values = {
      [LOG.url]: 'ftp://log.example',
      [LOG.key]: 'AAAA',
      [LOG.domains]: 'example..com 10.0.0.1',
      [LOG.start]: 'beginning',
    };
    await expect(start(discovery, values)).rejects.toMatchObject({
      status: 422,
      problems: [
        expect.stringContaining('ftp://log.example'),
        expect.stringContaining('a log key must be an ECDSA P-256 or RSA public key, in PEM or Base64.'),
        expect.stringContaining('example..com'),
        expect.stringContaining('10.0.0.1'),
      ],
    });
  });
});
