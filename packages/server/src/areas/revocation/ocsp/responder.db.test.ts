import {
  buildOcspRequest,
  extKeyUsageExtension,
  keyUsageExtension,
  ocspNoCheckExtension,
  OID,
  parseOcspResponse,
  verifyOcspResponse,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { startTestNode } from '../testing/node.ts';
import { setUpOcsp } from '../testing/ocsp.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

const setUp = () => setUpOcsp(database);

describe('the responder', () => {
  it('is created by the first request through the regular issuance path, and only once for multiple requests and nodes', async () => {
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

  it('has a key as strong as that of a post-quantum CA', async () => {
    const { authority, ask, responderOf, statusOf } = await setUpOcsp(database, { key: 'ML-DSA-65' });
    const leaf = await authority.issue();
    const { bytes } = await ask(leaf);
    expect(responderOf(bytes)?.publicKey.name).toBe('ML-DSA-65');
    expect(await statusOf(leaf)).toMatchObject({ status: 'good' });
  });

  it("requests the OCSP signing and ocsp-nocheck extensions through the authority's attributes", async () => {
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

  it('stores its key in encrypted form', async () => {
    const { authority, ask } = await setUp();
    await ask(await authority.issue());
    const [row] = await database.query<{ sealed_key: Buffer }>(
      'SELECT sealed_key FROM ocsp_responder WHERE authority_uuid = $1',
      [authority.uuid],
    );
    expect(row?.sealed_key.includes(Buffer.from('06082a8648ce3d030107', 'hex'))).toBe(false);
    expect(row?.sealed_key[0]).toBe(1);
  });

  it('is renewed before its certificate expires, without a gap', async () => {
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

  it('gets a new certificate when the CA is rekeyed, and its cached responses are discarded', async () => {
    const { authority, ask, judge, clock, schedule } = await setUp();
    await ask(await authority.issue());
    await authority.renewCa();
    clock.advance(5_000);
    await schedule();
    expect(authority.calls.issue).toBe(2);
    const leaf = await authority.issue();
    expect(judge((await ask(leaf)).bytes, leaf)).toMatchObject({ trusted: true, certStatus: { status: 'good' } });
  });

  it('continues to respond for certificates of the former CA key until its own certificate expires', async () => {
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

  it('is kept if the CA certificate was renewed with the same key', async () => {
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

  it('is replaced immediately when its own certificate is revoked', async () => {
    const { authority, ask, node, responderOf } = await setUp();
    const leaf = await authority.issue();
    const first = responderOf((await ask(leaf)).bytes);
    const item = authority.inventory.find(({ certificate }) => certificate.serialNumber === first?.serialNumber);
    if (!item) throw new Error('The responder certificate is not in the inventory.');
    authority.revoke(item);
    await node.parts.jobs.afterRevocation({
      certificateUuid: item.uuid,
      raProfileUuid: newUuid(),
      issuerCertificateUuid: null,
    });
    await node.parts.jobs.idle();
    expect(responderOf((await ask(leaf)).bytes)?.serialNumber).not.toBe(first?.serialNumber);
  });

  it('returns tryLater while it has no certificate, and requests one only rarely', async () => {
    const { authority, ask, endPause, statusOf } = await setUp();
    const leaf = await authority.issue();
    authority.behaviour.issueError = new AppError('connector_failed', { connector: 'test', problem: 'down' });
    for (let count = 0; count < 3; count++) expect(parseOcspResponse((await ask(leaf)).bytes).status).toBe('tryLater');
    expect(authority.calls.issue).toBe(1);
    authority.behaviour.issueError = undefined;
    await endPause();
    expect((await statusOf(leaf)).status).toBe('good');
  });

  it('is found immediately if a different node created it, even while this node pauses its requests', async () => {
    const { authority, ask, endPause, secondNode } = await setUp();
    const leaf = await authority.issue();
    const other = await secondNode();
    authority.behaviour.issueError = new AppError('connector_failed', { connector: 'test', problem: 'down' });
    expect(parseOcspResponse((await ask(leaf, { at: other })).bytes).status).toBe('tryLater');
    authority.behaviour.issueError = undefined;
    await endPause();
    expect(parseOcspResponse((await ask(leaf)).bytes).status).toBe('successful');
    await database.query(`UPDATE revocation_duty SET due_at = now() + interval '1 hour' WHERE authority_uuid = $1`, [
      authority.uuid,
    ]);
    expect(parseOcspResponse((await ask(leaf, { at: other })).bytes).status).toBe('successful');
  });

  it('uses a certificate that was issued late instead of requesting a second one', async () => {
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

  it('keeps its key if the outcome of the issuance is unknown', async () => {
    const { authority, ask, endPause } = await setUp();
    const leaf = await authority.issue();
    const { issue } = authority.ports.certificates;
    const fail = async (...parameters: Parameters<typeof issue>) => {
      const { uuid } = await issue(...parameters);
      throw new AppError('unavailable', { reason: 'time-out' }, { objectUuid: uuid });
    };
    const ports = { ...authority.ports, certificates: { ...authority.ports.certificates, issue: fail } };
    const unlucky = await startTestNode(testPlatform(database), ports);
    closeAfterTest(unlucky.close);
    expect(parseOcspResponse((await ask(leaf, { at: unlucky })).bytes).status).toBe('tryLater');
    await endPause();
    expect(parseOcspResponse((await ask(leaf, { at: unlucky })).bytes).status).toBe('successful');
    expect(authority.calls.issue).toBe(1);
  });

  it('is replaced if the sealing key that encrypts its key no longer exists', async () => {
    const { authority, ask, statusOf } = await setUp();
    const leaf = await authority.issue();
    const elsewhere = await startTestNode(testPlatform(database), authority.ports);
    closeAfterTest(elsewhere.close);
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

  it('reports which attribute the authority does not support', async () => {
    const { authority, node } = await setUp();
    authority.behaviour.definitions = [];
    await expect(node.parts.renewResponder(authority.uuid, { evenIfPaused: true, waitMs: 0 })).rejects.toThrow(
      'data_extendedKeyUsages',
    );
  });

  it('uses an existing RA profile with the expected name only if it belongs to the authority', async () => {
    const { authority, statusOf } = await setUp();
    const name = `ocsp-${authority.name.toLowerCase().replaceAll(' ', '-')}`;
    authority.profiles.push({ uuid: newUuid(), name, authorityUuid: newUuid(), attributes: [], internal: false });
    await statusOf(await authority.issue());
    expect(authority.profiles.map((profile) => profile.name)).toEqual([name, `${name}-${authority.uuid}`]);
  });

  it('marks an RA profile that an earlier version created for the authority as internal', async () => {
    const { authority, statusOf } = await setUp();
    const name = `ocsp-${authority.name.toLowerCase().replaceAll(' ', '-')}`;
    authority.profiles.push({ uuid: newUuid(), name, authorityUuid: authority.uuid, attributes: [], internal: false });
    await statusOf(await authority.issue());
    expect(authority.profiles).toMatchObject([{ name, internal: true }]);
  });
});
