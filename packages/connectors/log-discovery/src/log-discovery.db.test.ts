// Discoveries in logs through the connector interface: a real log on loopback and a real database.
import type { CtLog } from '@signetry/testkit/ct-log';
import {
  metaOf,
  remove,
  start,
  startTestDiscovery,
  until,
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
  const found = await until(discovery, uuid);
  const meta = (name: keyof typeof DISCOVERY_METADATA) => metaOf(found, DISCOVERY_METADATA[name]);
  const entries = found.certificateData.map((each) => metaOf(each, CERTIFICATE_METADATA.entry)?.[0]);
  return { ...found, said: meta, entries };
}

describe('a discovery in a log', () => {
  it('finds what has the names, with its issuers, and says where', async () => {
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
    expect(found.said('signature')).toEqual(['valid, of 2027-01-15T08:00:00.000Z']);
    expect([found.said('read'), found.said('treeSize'), found.said('matching')]).toEqual([[306], [306], [1]]);
  });

  it('goes on where the last one of the same domains ended', async () => {
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

  it('tells precertificates only where their certificates are not there', async () => {
    const [both, alone, reversed] = ['both', 'alone', 'reversed'].map((name) => authority.issue(`${name}.example.com`));
    if (!both || !alone || !reversed) throw new Error('There are three.');
    const log = await logOf(both, alone, { certificate: reversed.certificate }, reversed, ...fillers(300));
    // A pair has both members; what is logged is one of them.
    for (const [index, pair] of [both, alone].entries())
      log.replace(index, { precertificate: pair.precertificate, tbs: pair.tbs });
    log.replace(3, { precertificate: reversed.precertificate, tbs: reversed.tbs });
    log.add({ certificate: both.certificate });
    const found = await discover(log);
    expect(found.certificateData.map(({ base64Content }) => base64Content)).toEqual(
      [reversed.certificate, both.certificate, alone.precertificate].map((der) => Buffer.from(der).toString('base64')),
    );
    const last = found.certificateData.at(-1);
    expect(last && metaOf(last, CERTIFICATE_METADATA.kind)?.[0]).toContain('precertificate, whose certificate is not');
    expect(found.said('precertificates')).toEqual([1]);
  });

  it('says what cannot be read', async () => {
    const log = await logOf({ certificate: Buffer.from('this has www.example.com in it') }, logged('example.com'));
    const found = await discover(log);
    expect(found.entries).toEqual([1]);
    expect(found.said('problems')?.[0]).toContain('Entry 0: it may have such a name');
  });
});

describe('a log', () => {
  it('that lies is refused with words, and the next discovery begins where the last one did', async () => {
    const log = await logOf(...fillers(600), logged('www.example.com'));
    await discover(log);
    log.add(...fillers(10));
    log.replace(3, logged('other.example.com'));
    const lying = await discover(log);
    expect(lying.status).toBe('failed');
    expect(lying.said('reason')?.[0]).toContain('shows another past than at the last discovery');
    log.shrink(500);
    expect((await discover(log)).said('reason')?.[0]).toContain('has shrunk: it had 601 entries');
  });

  it('of another key is refused', async () => {
    const [log, other] = [await logOf(filler), await logOf()];
    const found = await discover(log, { [LOG.key]: Buffer.from(other.spki).toString('base64') });
    expect([found.status, found.said('reason')?.[0]]).toEqual(['failed', expect.stringContaining('no signature')]);
    const unchecked = await discover(log, { [LOG.key]: '' });
    expect(unchecked.said('signature')?.[0]).toContain('not checked');
  });

  it('that serves no more ends it with a warning, and the next one goes on there', async () => {
    const log = await logOf(logged('a.example.com'), ...fillers(600), logged('b.example.com'));
    log.intercept = (path, response) => path.startsWith('tile/data/001') && Boolean(response.writeHead(404).end());
    const found = await discover(log, { [LOG.parallel]: 3 });
    expect([found.status, found.entries, found.said('read')]).toEqual(['warning', [0], [256]]);
    expect(found.said('reason')?.[0]).toContain('Entries from 256 to 601 were not read');
    log.intercept = undefined;
    expect((await discover(log)).entries).toEqual([601]);
  });

  it('that may not be reached is refused at once where it is an address', async () => {
    const forbidden = { [LOG.url]: 'http://127.0.0.9/', [LOG.domains]: 'a.test', [LOG.start]: 'beginning' };
    await expect(start(discovery, forbidden)).rejects.toMatchObject({ status: 422 });
    const closed = await startTestDiscovery(logDiscovery);
    await expect(start(closed, { ...forbidden, [LOG.url]: 'http://log.test' })).rejects.toMatchObject({ status: 422 });
  });

  it('that does not answer fails it', async () => {
    const log = await logOf(filler);
    log.intercept = (_path, response) => Boolean(response.writeHead(403).end());
    const found = await discover(log);
    expect([found.status, found.said('reason')?.[0]]).toEqual(['failed', expect.stringContaining('status 403')]);
  });
});

describe('a discovery whose process', () => {
  it('is told that it was deleted asks the log for nothing more', async () => {
    const log = await logOf(...fillers(256 * 60));
    const { uuid } = await start(discovery, valuesFor(log, { [LOG.ratePerSecond]: 30 }));
    await until(discovery, uuid, (answer) => Number(metaOf(answer, DISCOVERY_METADATA.read)?.[0]) > 0);
    await remove(discovery, uuid);
    const asked = log.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    // At most what was under way.
    expect(log.requests.length - asked).toBeLessThanOrEqual(4);
  });
});

describe('values', () => {
  it('are refused together', async () => {
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
        expect.stringContaining('no key of a log'),
        expect.stringContaining('example..com'),
        expect.stringContaining('10.0.0.1'),
      ],
    });
  });
});
