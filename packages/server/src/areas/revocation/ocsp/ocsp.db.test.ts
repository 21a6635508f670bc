import {
  buildCertId,
  buildOcspRequest,
  extKeyUsageExtension,
  issuerHashes,
  keyUsageExtension,
  ocspNoCheckExtension,
  OID,
  parseOcspResponse,
  verifyOcspResponse,
  type Certificate,
  type DigestName,
  type OcspVerdict,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { closing, createFakeClock, testDatabase, testPlatform } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createTestAuthority, type TestCertificate } from '../test-authority.ts';
import { startTestNode, type TestNode } from '../test-node.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

async function setUp() {
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const authority = await createTestAuthority(platform);
  const node = await startTestNode(platform, authority.ports);
  closing(node.close);

  const certIdOf = (leaf: TestCertificate, digestName: DigestName = 'sha1', issuer = authority.ca().certificate) =>
    buildCertId(issuerHashes(issuer, { digestName, digest: nodeCrypto.digest }), leaf.certificate.serialBytes);
  const post = (body: Uint8Array, at: TestNode = node, path = authority.uuid) =>
    fetch(`${at.url}/ocsp/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/ocsp-request' },
      body: Buffer.from(body),
    });
  const ask = async (
    leaf: TestCertificate,
    options: { digestName?: DigestName; nonce?: Uint8Array; at?: TestNode } = {},
  ) => {
    const { digestName, nonce, at } = options;
    const request = buildOcspRequest({ certIds: [certIdOf(leaf, digestName)], ...(nonce ? { nonce } : {}) });
    const answer = await post(request, at);
    return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  const judge = (bytes: Uint8Array, leaf: TestCertificate, nonce?: Uint8Array): OcspVerdict => {
    const response = parseOcspResponse(bytes);
    if (response.status !== 'successful') throw new Error(`The answer is ${response.status}.`);
    return verifyOcspResponse(response.basic, {
      certificate: leaf.certificate,
      issuer: authority.ca().certificate,
      verify: nodeCrypto.verify,
      digest: nodeCrypto.digest,
      nowMs: clock.now().getTime(),
      ...(nonce ? { nonce } : {}),
    });
  };
  const statusOf = async (leaf: TestCertificate, at?: TestNode) => {
    const verdict = judge((await ask(leaf, at ? { at } : {})).bytes, leaf);
    if (!verdict.trusted) throw new Error(`The answer is refused: ${verdict.refusal}.`);
    return verdict.certStatus;
  };
  const ocspStatus = async (answer: Response) => parseOcspResponse(new Uint8Array(await answer.arrayBuffer())).status;
  const responderOf = (bytes: Uint8Array): Certificate | undefined => {
    const response = parseOcspResponse(bytes);
    return response.status === 'successful' ? response.basic.certificates[0] : undefined;
  };
  const schedule = () => node.parts.jobs.onSchedule(new AbortController().signal);
  const secondNode = async () => {
    const other = await startTestNode(testPlatform(database, { clock, sealer: platform.sealer }), authority.ports);
    closing(other.close);
    return other;
  };
  const endPause = () =>
    database.query('UPDATE revocation_duty SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
  return {
    clock,
    platform,
    authority,
    node,
    certIdOf,
    post,
    ask,
    judge,
    statusOf,
    ocspStatus,
    responderOf,
    schedule,
    secondNode,
    endPause,
  };
}

describe('the status of a certificate', () => {
  it('is good while it is issued, for requests with SHA-1 and with SHA-256', async () => {
    const { authority, ask, judge } = await setUp();
    const leaf = await authority.issue();
    for (const digestName of ['sha1', 'sha256'] as const) {
      const { bytes } = await ask(leaf, { digestName });
      expect(judge(bytes, leaf)).toMatchObject({ trusted: true, certStatus: { status: 'good' } });
    }
  });

  it('is revoked at once, with time and reason, on every node that answered "good" a moment before', async () => {
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

  it('has the date of the CRL as soon as one names it', async () => {
    const { authority, node, clock, statusOf } = await setUp();
    const leaf = await authority.issue();
    authority.revoke(leaf, 'superseded');
    expect(await statusOf(leaf)).toMatchObject({ status: 'revoked' });
    authority.behaviour.revocationOffsetMs = -40_000;
    await node.parts.jobs.afterRevocation(
      { certificateUuid: leaf.uuid, raProfileUuid: newUuid(), issuerCertificateUuid: null },
      new AbortController().signal,
    );
    const status = await statusOf(leaf);
    expect(status).toMatchObject({ status: 'revoked', reason: 'superseded' });
    expect(status.status === 'revoked' && status.revocationMs).toBeLessThan(clock.now().getTime() - 39_000);
  });

  it('is unknown for a serial number that was never issued, and must not be kept by caches', async () => {
    const { authority, ask, judge } = await setUp();
    const foreign = await authority.issue();
    authority.inventory.pop();
    const { bytes, answer } = await ask(foreign);
    expect(judge(bytes, foreign)).toMatchObject({ certStatus: { status: 'unknown' } });
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
  });

  it('is answered for several certificates in one signed response', async () => {
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

describe('certificates of another CA', () => {
  it('are unknown beside one of ours, also when their serial number is one of ours', async () => {
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
  it('is done once for many requests about one certificate, and again after half an hour', async () => {
    const { authority, ask, clock } = await setUp();
    const leaf = await authority.issue();
    const first = (await ask(leaf)).bytes;
    clock.advance(29 * 60_000);
    expect((await ask(leaf)).bytes).toEqual(first);
    clock.advance(2 * 60_000);
    expect((await ask(leaf)).bytes).not.toEqual(first);
  });

  it('repeats a nonce in a response of its own, which nobody may keep', async () => {
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

  it('is valid for an hour and may be kept for minutes', async () => {
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
  ])('are read %s, also with slashes inside', async (_how, form) => {
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

  it.each(['!!!', '%zz', 'AAAA', 'A'.repeat(4_000)])('answer %j as malformed', async (path) => {
    const { authority, node, ocspStatus } = await setUp();
    const answer = await fetch(`${node.url}/ocsp/${authority.uuid}/${path}`);
    if (answer.status === 200) expect(await ocspStatus(answer)).toBe('malformedRequest');
    else expect(answer.status).toBe(400);
  });
});

describe('requests that cannot be answered', () => {
  it('are malformedRequest when they are no OCSP requests', async () => {
    const { post, ocspStatus } = await setUp();
    const answer = await post(Uint8Array.of(1, 2, 3));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
    expect(await ocspStatus(answer)).toBe('malformedRequest');
    expect(await ocspStatus(await post(new Uint8Array()))).toBe('malformedRequest');
  });

  it('are unauthorized when they are about another CA or use a digest that is not known', async () => {
    const { authority, certIdOf, post, ocspStatus, platform } = await setUp();
    const leaf = await authority.issue();
    const other = await createTestAuthority(platform);
    const foreign = buildOcspRequest({ certIds: [certIdOf(leaf, 'sha1', other.ca().certificate)] });
    expect(await ocspStatus(await post(foreign))).toBe('unauthorized');
    const md5 = buildOcspRequest({ certIds: [certIdOf(leaf, 'md5')] });
    expect(await ocspStatus(await post(md5))).toBe('unauthorized');
    expect(authority.calls.issue).toBe(0);
  });

  it('are refused by HTTP when too large, of another media type, or for an unknown authority', async () => {
    const { authority, node, certIdOf, post } = await setUp();
    expect((await post(new Uint8Array(64 * 1024 + 1))).status).toBe(413);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${node.url}/ocsp/${authority.uuid}`, json)).status).toBe(415);
    const request = buildOcspRequest({ certIds: [certIdOf(await authority.issue())] });
    expect((await post(request, node, newUuid())).status).toBe(404);
    expect((await post(request, node, 'nonsense')).status).toBe(404);
  });

  it('are unauthorized at an authority that does not delegate', async () => {
    const { authority, ask } = await setUp();
    authority.behaviour.features = [];
    const { bytes } = await ask(await authority.issue());
    expect(parseOcspResponse(bytes).status).toBe('unauthorized');
    expect(authority.profiles).toEqual([]);
  });

  it('are internalError when the inventory cannot be read', async () => {
    const { authority, ask, platform } = await setUp();
    const leaf = await authority.issue();
    await ask(leaf);
    const ports = {
      ...authority.ports,
      certificates: { ...authority.ports.certificates, findStatuses: () => Promise.reject(new Error('down')) },
    };
    const broken = await startTestNode(testPlatform(database, { sealer: platform.sealer }), ports);
    closing(broken.close);
    expect(parseOcspResponse((await ask(leaf, { at: broken })).bytes).status).toBe('internalError');
  });
});

describe('the responder', () => {
  it('is made by the first request through the ordinary path, once for many requests and nodes', async () => {
    const { authority, ask, secondNode, responderOf } = await setUp();
    const leaf = await authority.issue();
    const other = await secondNode();
    const answers = await Promise.all([ask(leaf), ask(leaf), ask(leaf, { at: other }), ask(leaf, { at: other })]);
    expect(authority.calls.issue).toBe(1);
    expect(authority.profiles).toMatchObject([
      { name: expect.stringMatching(/^ocsp-test-ca-/), authorityUuid: authority.uuid },
    ]);
    const certificates = answers.map(({ bytes }) => responderOf(bytes));
    for (const certificate of certificates) {
      expect(certificate?.extKeyUsage).toEqual([OID.ocspSigning]);
      expect(certificate?.serialNumber).toBe(certificates[0]?.serialNumber);
    }
  });

  it('asks for OCSP signing and ocsp-nocheck in the form of the authority', async () => {
    const { authority, ask } = await setUp();
    await ask(await authority.issue());
    expect(authority.profiles[0]?.attributes).toMatchObject([
      {
        name: 'data_extendedKeyUsages',
        contentType: 'string',
        content: [{ reference: 'OCSP Signing', data: OID.ocspSigning }],
      },
      { name: 'data_ocspNoCheck', contentType: 'boolean', content: [{ data: true }] },
      { name: 'data_validityDays', contentType: 'integer', content: [{ data: 30 }] },
    ]);
  });

  it('keeps its key sealed', async () => {
    const { authority, ask } = await setUp();
    await ask(await authority.issue());
    const [row] = await database.query<{ sealed_key: Buffer }>(
      'SELECT sealed_key FROM ocsp_responder WHERE authority_uuid = $1',
      [authority.uuid],
    );
    expect(row?.sealed_key.includes(Buffer.from('06082a8648ce3d030107', 'hex'))).toBe(false);
    expect(row?.sealed_key[0]).toBe(1);
  });

  it('renews itself before its certificate ends, without a gap', async () => {
    const { authority, ask, judge, clock, schedule, responderOf } = await setUp();
    const leaf = await authority.issue();
    const first = responderOf((await ask(leaf)).bytes);
    clock.advance(19 * DAY_MS);
    await schedule();
    expect(authority.calls.issue).toBe(1);
    clock.advance(2 * DAY_MS);
    await schedule();
    expect(authority.calls.issue).toBe(2);
    const { bytes } = await ask(leaf);
    expect(responderOf(bytes)?.serialNumber).not.toBe(first?.serialNumber);
    expect(responderOf(bytes)?.spki).not.toEqual(first?.spki);
    expect(judge(bytes, leaf)).toMatchObject({ trusted: true });
    clock.advance(10 * DAY_MS);
    await schedule();
    const rows = await database.query('SELECT 1 FROM ocsp_responder WHERE authority_uuid = $1', [authority.uuid]);
    expect(rows).toHaveLength(1);
  });

  it('is certified anew when the CA gets another key, and its cached responses go', async () => {
    const { authority, ask, judge, clock, schedule } = await setUp();
    await ask(await authority.issue());
    await authority.renewCa();
    clock.advance(5_000);
    await schedule();
    expect(authority.calls.issue).toBe(2);
    const leaf = await authority.issue();
    expect(judge((await ask(leaf)).bytes, leaf)).toMatchObject({ trusted: true, certStatus: { status: 'good' } });
  });

  it('goes on speaking for certificates of the former key while its certificate lasts', async () => {
    const { authority, certIdOf, ask, post, clock, ocspStatus } = await setUp();
    const former = authority.ca().certificate;
    const leaf = await authority.issue();
    await ask(leaf);
    await authority.renewCa();
    clock.advance(5_000);
    authority.revoke(leaf);
    const request = buildOcspRequest({ certIds: [certIdOf(leaf, 'sha1', former)] });
    const response = parseOcspResponse(new Uint8Array(await (await post(request)).arrayBuffer()));
    if (response.status !== 'successful') throw new Error(response.status);
    const facts = {
      certificate: leaf.certificate,
      issuer: former,
      verify: nodeCrypto.verify,
      digest: nodeCrypto.digest,
    };
    expect(verifyOcspResponse(response.basic, { ...facts, nowMs: clock.now().getTime() })).toMatchObject({
      certStatus: { status: 'revoked' },
    });
    clock.advance(31 * DAY_MS);
    expect(await ocspStatus(await post(request))).toBe('unauthorized');
  });

  it('stays when the CA certificate was renewed with the same key', async () => {
    const { authority, statusOf, clock, schedule } = await setUp();
    const old = await authority.issue();
    await statusOf(old);
    clock.advance(HOUR_MS);
    await authority.renewCa(authority.ca().keys);
    await schedule();
    expect(authority.calls.issue).toBe(1);
    const young = await authority.issue();
    authority.revoke(old);
    expect((await statusOf(old)).status).toBe('revoked');
    expect((await statusOf(young)).status).toBe('good');
  });

  it('is replaced at once when its own certificate is revoked', async () => {
    const { authority, ask, node, responderOf } = await setUp();
    const leaf = await authority.issue();
    const first = responderOf((await ask(leaf)).bytes);
    const item = authority.inventory.find(({ certificate }) => certificate.serialNumber === first?.serialNumber);
    if (!item) throw new Error('The responder certificate is not in the inventory.');
    authority.revoke(item);
    await node.parts.jobs.afterRevocation(
      { certificateUuid: item.uuid, raProfileUuid: newUuid(), issuerCertificateUuid: null },
      new AbortController().signal,
    );
    expect(responderOf((await ask(leaf)).bytes)?.serialNumber).not.toBe(first?.serialNumber);
  });

  it('answers tryLater while it has no certificate, and asks for one rarely', async () => {
    const { authority, ask, endPause, statusOf } = await setUp();
    const leaf = await authority.issue();
    authority.behaviour.issueError = new AppError('connector_failed', { connector: 'test', problem: 'down' });
    for (let count = 0; count < 3; count++) expect(parseOcspResponse((await ask(leaf)).bytes).status).toBe('tryLater');
    expect(authority.calls.issue).toBe(1);
    authority.behaviour.issueError = undefined;
    await endPause();
    expect((await statusOf(leaf)).status).toBe('good');
  });

  it('takes up a certificate that was issued late instead of asking for another', async () => {
    const { authority, ask, schedule, endPause, statusOf } = await setUp();
    const leaf = await authority.issue();
    authority.behaviour.issuesLate = true;
    expect(parseOcspResponse((await ask(leaf)).bytes).status).toBe('tryLater');
    await endPause();
    await schedule();
    expect(authority.calls.issue).toBe(1);
    const late = authority.inventory.at(-1);
    if (late) late.state = 'issued';
    await endPause();
    expect((await statusOf(leaf)).status).toBe('good');
    expect(authority.calls.issue).toBe(1);
  });

  it('keeps its key when the outcome of the issuance is not known', async () => {
    const { authority, ask, endPause } = await setUp();
    const leaf = await authority.issue();
    const { issue } = authority.ports.certificates;
    const fail = async (...parameters: Parameters<typeof issue>) => {
      const { uuid } = await issue(...parameters);
      throw new AppError('unavailable', { reason: 'time-out' }, { objectUuid: uuid });
    };
    const ports = { ...authority.ports, certificates: { ...authority.ports.certificates, issue: fail } };
    const unlucky = await startTestNode(testPlatform(database), ports);
    closing(unlucky.close);
    expect(parseOcspResponse((await ask(leaf, { at: unlucky })).bytes).status).toBe('tryLater');
    await endPause();
    expect(parseOcspResponse((await ask(leaf, { at: unlucky })).bytes).status).toBe('successful');
    expect(authority.calls.issue).toBe(1);
  });

  it('is replaced when its key was sealed by a sealing key that is gone', async () => {
    const { authority, ask, statusOf } = await setUp();
    const leaf = await authority.issue();
    const elsewhere = await startTestNode(testPlatform(database), authority.ports);
    closing(elsewhere.close);
    await ask(leaf, { at: elsewhere });
    expect((await statusOf(leaf)).status).toBe('good');
    expect(authority.calls.issue).toBe(2);
  });

  it.each([
    ['without OCSP signing', [keyUsageExtension(['digitalSignature']), ocspNoCheckExtension()]],
    ['without ocsp-nocheck', [extKeyUsageExtension([OID.ocspSigning])]],
  ])('does not use a certificate %s', async (_what, extensions) => {
    const { authority, ask } = await setUp();
    authority.behaviour.responderExtensions = extensions;
    const { bytes } = await ask(await authority.issue());
    expect(parseOcspResponse(bytes).status).toBe('tryLater');
  });

  it('says which attribute the authority lacks', async () => {
    const { authority, node } = await setUp();
    authority.behaviour.definitions = [];
    await expect(node.parts.renewResponder(authority.uuid, { evenIfPaused: true, waitMs: 0 })).rejects.toThrow(
      'data_extendedKeyUsages',
    );
  });

  it('uses an RA profile of the same name only when it belongs to the authority', async () => {
    const { authority, statusOf } = await setUp();
    const name = `ocsp-${authority.name.toLowerCase().replaceAll(' ', '-')}`;
    authority.profiles.push({ uuid: newUuid(), name, authorityUuid: newUuid(), attributes: [] });
    await statusOf(await authority.issue());
    expect(authority.profiles.map((profile) => profile.name)).toEqual([name, `${name}-${authority.uuid}`]);
  });
});

describe('CA certificates', () => {
  it('are served as DER and PEM', async () => {
    const { authority, node } = await setUp();
    const der = await fetch(`${node.url}/ca/${authority.uuid}.crt`);
    expect(der.headers.get('content-type')).toBe('application/pkix-cert');
    expect(der.headers.get('cache-control')).toMatch(/^max-age=3600, public/);
    expect(new Uint8Array(await der.arrayBuffer())).toEqual(authority.ca().certificate.der);
    const pem = await fetch(`${node.url}/ca/${authority.uuid}.pem`);
    expect(await pem.text()).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect((await fetch(`${node.url}/ca/${newUuid()}.crt`)).status).toBe(404);
    expect((await fetch(`${node.url}/ca/${authority.uuid}.key`)).status).toBe(404);
  });

  it('follow a renewal within seconds', async () => {
    const { authority, node, clock } = await setUp();
    await fetch(`${node.url}/ca/${authority.uuid}.crt`);
    const next = await authority.renewCa();
    clock.advance(5_000);
    const answer = await fetch(`${node.url}/ca/${authority.uuid}.crt`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(next.certificate.der);
  });
});
