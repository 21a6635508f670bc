import { buildOcspRequest, parseOcspResponse } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createTestAuthority } from '../testing/authority.ts';
import { startTestNode } from '../testing/node.ts';
import { setUpOcsp } from '../testing/ocsp.ts';

const HOUR_MS = 3_600_000;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

const setUp = () => setUpOcsp(database);

describe('the status of a certificate', () => {
  it('is good while it is issued, in requests with SHA-1 and SHA-256', async () => {
    const { authority, ask, judge } = await setUp();
    const leaf = await authority.issue();
    for (const digestName of ['sha1', 'sha256'] as const) {
      const { bytes } = await ask(leaf, { digestName });
      expect(judge(bytes, leaf)).toMatchObject({ trusted: true, certStatus: { status: 'good' } });
    }
  });

  it('is revoked immediately, with date and reason, on every node that had just returned "good"', async () => {
    const { authority, clock, statusOf, secondNode } = await setUp();
    const leaf = await authority.issue();
    const other = await secondNode();
    expect([await statusOf(leaf), await statusOf(leaf, other)]).toEqual([{ status: 'good' }, { status: 'good' }]);
    authority.revoke(leaf, 'keyCompromise');
    const revoked = {
      status: 'revoked',
      revocationMs: Math.floor(clock.now().getTime() / 1000) * 1000,
      reason: 'keyCompromise',
    };
    const states = [await statusOf(leaf), await statusOf(leaf, other)];
    for (const state of states) {
      expect(state).toMatchObject({ status: 'revoked', reason: 'keyCompromise' });
      expect(Math.abs((state as typeof revoked).revocationMs - revoked.revocationMs)).toBeLessThanOrEqual(1_000);
    }
  });

  it('has the revocation date from the CRL as soon as a CRL lists it', async () => {
    const { authority, node, clock, statusOf } = await setUp();
    const leaf = await authority.issue();
    authority.revoke(leaf, 'superseded');
    expect(await statusOf(leaf)).toMatchObject({ status: 'revoked' });
    authority.behaviour.revocationOffsetMs = -40_000;
    await node.parts.jobs.afterRevocation({
      certificateUuid: leaf.uuid,
      raProfileUuid: newUuid(),
      issuerCertificateUuid: null,
    });
    await node.parts.jobs.idle();
    const status = await statusOf(leaf);
    expect(status).toMatchObject({ status: 'revoked', reason: 'superseded' });
    expect(status.status === 'revoked' && status.revocationMs).toBeLessThan(clock.now().getTime() - 39_000);
  });

  it('has the reason keyCompromise as soon as this is known, even while the CRL has a different reason', async () => {
    const { authority, node, statusOf } = await setUp();
    const leaf = await authority.issue();
    authority.revoke(leaf, 'superseded');
    await node.parts.jobs.afterRevocation({
      certificateUuid: leaf.uuid,
      raProfileUuid: newUuid(),
      issuerCertificateUuid: null,
    });
    await node.parts.jobs.idle();
    const before = await statusOf(leaf);
    expect(before).toMatchObject({ status: 'revoked', reason: 'superseded' });
    leaf.revocationReason = 'keyCompromise';
    expect(await statusOf(leaf)).toEqual({ ...before, reason: 'keyCompromise' });
  });

  it('is unknown for a serial number that was never issued, and must not be cached', async () => {
    const { authority, ask, judge } = await setUp();
    const foreign = await authority.issue();
    authority.inventory.pop();
    const { bytes, answer } = await ask(foreign);
    expect(judge(bytes, foreign)).toMatchObject({ certStatus: { status: 'unknown' } });
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
  });

  it('is returned for multiple certificates in one signed response', async () => {
    const { authority, certIdOf, post, judge } = await setUp();
    const [good, revoked] = await Promise.all([authority.issue(), authority.issue()]);
    if (!good || !revoked) throw new Error('unreachable');
    authority.revoke(revoked);
    const bytes = new Uint8Array(
      await (await post(buildOcspRequest({ certIds: [certIdOf(good), certIdOf(revoked, 'sha256')] }))).arrayBuffer(),
    );
    expect(judge(bytes, good)).toMatchObject({ trusted: true, certStatus: { status: 'good' } });
    expect(judge(bytes, revoked)).toMatchObject({ trusted: true, certStatus: { status: 'revoked' } });
    expect(authority.calls.findStatuses).toBe(1);
  });
});

describe('certificates of a different CA', () => {
  it('are unknown when requested together with one of our own, even if they share its serial number', async () => {
    const { authority, certIdOf, post, platform } = await setUp();
    const leaf = await authority.issue();
    const other = await createTestAuthority(platform);
    const certIds = [certIdOf(leaf), certIdOf(leaf, 'sha1', other.ca().certificate)];
    const response = parseOcspResponse(new Uint8Array(await (await post(buildOcspRequest({ certIds }))).arrayBuffer()));
    if (response.status !== 'successful') throw new Error(response.status);
    expect(response.basic.responses.map(({ certStatus }) => certStatus.status)).toEqual(['good', 'unknown']);
  });
});

describe('signing', () => {
  it('happens only once for many requests about one certificate, and again after half an hour', async () => {
    const { authority, ask, clock } = await setUp();
    const leaf = await authority.issue();
    const first = (await ask(leaf)).bytes;
    clock.advance(29 * 60_000);
    expect((await ask(leaf)).bytes).toEqual(first);
    clock.advance(2 * 60_000);
    expect((await ask(leaf)).bytes).not.toEqual(first);
  });

  it('returns a nonce in a separate response, which must not be cached', async () => {
    const { authority, ask, judge } = await setUp();
    const leaf = await authority.issue();
    const plain = (await ask(leaf)).bytes;
    const nonce = Uint8Array.from({ length: 32 }, (_, at) => at);
    const { bytes, answer } = await ask(leaf, { nonce });
    expect(bytes).not.toEqual(plain);
    const response = parseOcspResponse(bytes);
    expect(response.status === 'successful' && response.basic.nonce).toEqual(nonce);
    expect(judge(bytes, leaf, nonce)).toMatchObject({ trusted: true });
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
  });

  it('produces a response that is valid for an hour and can be cached for several minutes', async () => {
    const { authority, ask, judge, clock } = await setUp();
    const leaf = await authority.issue();
    const { bytes, answer } = await ask(leaf);
    const verdict = judge(bytes, leaf);
    if (!verdict.trusted) throw new Error(`The answer is not trusted: ${JSON.stringify(verdict)}`);
    expect((verdict.nextUpdateMs ?? 0) - verdict.thisUpdateMs).toBe(HOUR_MS);
    expect(answer.headers.get('content-type')).toBe('application/ocsp-response');
    expect(answer.headers.get('cache-control')).toBe('max-age=300, public, no-transform, must-revalidate');
    expect(answer.headers.get('etag')).toMatch(/^"/);
    expect(answer.headers.get('last-modified')).toBe(new Date(verdict.thisUpdateMs).toUTCString());
    expect(answer.headers.get('expires')).toBe(new Date(clock.now().getTime() + 300_000).toUTCString());
  });
});

describe('GET requests', () => {
  const encoded = (request: Uint8Array) => Buffer.from(request).toString('base64');

  it.each([
    ['percent-encoded', (text: string) => encodeURIComponent(text)],
    ['as they are', (text: string) => text],
    ['with a URL-safe alphabet', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ])('are accepted %s, even if they contain slashes', async (_how, form) => {
    const { authority, node, certIdOf, judge } = await setUp();
    let leaf = await authority.issue();
    while (!encoded(buildOcspRequest({ certIds: [certIdOf(leaf)] })).includes('/')) leaf = await authority.issue();
    const path = form(encoded(buildOcspRequest({ certIds: [certIdOf(leaf)] })));
    const answer = await fetch(`${node.url}/ocsp/${authority.uuid}/${path}`);
    expect(answer.status).toBe(200);
    expect(judge(new Uint8Array(await answer.arrayBuffer()), leaf)).toMatchObject({ certStatus: { status: 'good' } });
    const again = await fetch(`${node.url}/ocsp/${authority.uuid}/${path}`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it.each(['!!!', '%zz', 'AAAA', 'A'.repeat(4_000)])('are rejected as malformed if the path is %j', async (path) => {
    const { authority, node, ocspStatus } = await setUp();
    const answer = await fetch(`${node.url}/ocsp/${authority.uuid}/${path}`);
    if (answer.status === 200) expect(await ocspStatus(answer)).toBe('malformedRequest');
    else expect(answer.status).toBe(400);
  });
});

describe('requests that cannot be answered', () => {
  it('return malformedRequest if they are not OCSP requests', async () => {
    const { post, ocspStatus } = await setUp();
    const answer = await post(Uint8Array.of(1, 2, 3));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
    expect(await ocspStatus(answer)).toBe('malformedRequest');
    expect(await ocspStatus(await post(new Uint8Array()))).toBe('malformedRequest');
  });

  it('return unauthorized if they are for a different CA or use an unknown hash algorithm', async () => {
    const { authority, certIdOf, post, ocspStatus, platform } = await setUp();
    const leaf = await authority.issue();
    const other = await createTestAuthority(platform);
    const foreign = buildOcspRequest({ certIds: [certIdOf(leaf, 'sha1', other.ca().certificate)] });
    expect(await ocspStatus(await post(foreign))).toBe('unauthorized');
    const md5 = buildOcspRequest({ certIds: [certIdOf(leaf, 'md5')] });
    expect(await ocspStatus(await post(md5))).toBe('unauthorized');
    expect(authority.calls.issue).toBe(0);
  });

  it('are rejected with an HTTP error if they are too large, have a different media type, or are for an unknown authority', async () => {
    const { authority, node, certIdOf, post } = await setUp();
    expect((await post(new Uint8Array(64 * 1024 + 1))).status).toBe(413);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const refused = await fetch(`${node.url}/ocsp/${authority.uuid}`, json);
    expect([refused.status, await refused.text()]).toEqual([
      415,
      expect.stringContaining('send uncompressed application/ocsp-request'),
    ]);
    const request = buildOcspRequest({ certIds: [certIdOf(await authority.issue())] });
    expect((await post(request, node, newUuid())).status).toBe(404);
    expect((await post(request, node, 'nonsense')).status).toBe(404);
  });

  it('return unauthorized for an authority that does not delegate OCSP signing', async () => {
    const { authority, ask } = await setUp();
    authority.behaviour.features = [];
    const { bytes } = await ask(await authority.issue());
    expect(parseOcspResponse(bytes).status).toBe('unauthorized');
    expect(authority.profiles).toEqual([]);
  });

  it('return internalError if the inventory cannot be read', async () => {
    const { authority, ask, platform } = await setUp();
    const leaf = await authority.issue();
    await ask(leaf);
    const ports = {
      ...authority.ports,
      certificates: { ...authority.ports.certificates, findStatuses: () => Promise.reject(new Error('down')) },
    };
    const broken = await startTestNode(testPlatform(database, { sealer: platform.sealer }), ports);
    closeAfterTest(broken.close);
    expect(parseOcspResponse((await ask(leaf, { at: broken })).bytes).status).toBe('internalError');
  });
});
