// Goal: revocations reported by other issuers are stored and can be reversed. Method: an HTTP server on loopback with a
// root's CRLs and OCSP responses, and the inventory in a database.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assembleCrl,
  assembleOcspResponse,
  authorityInfoAccessExtension,
  buildOcspResponseData,
  buildTbsCertList,
  crlDistributionPointsExtension,
  defaultSignatureAlgorithm,
  keyIdentifier,
  parseCertificate,
  parseOcspRequest,
  parsePublicKey,
  type CertStatus,
  type RevokedEntryInput,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

const HOUR = 3_600_000;
const REVOKED_MS = Date.parse('2026-01-02T03:04:05Z');

let test: TestInventory;
let root: TestCertificate;
let server: Server;
let base: string;
const answers = new Map<string, (body: Uint8Array) => Uint8Array>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = answers.get(request.url ?? '')?.(Buffer.concat(parts));
      response.writeHead(answer ? 200 : 404).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test = await createTestInventory();
  root = await makeRoot('Holding Root');
  await test.trust(root.der);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const now = (): number => test.clock.now().getTime();
const rootKey = () => parsePublicKey(root.keys.spki);
function signed(data: Uint8Array) {
  const algorithm = defaultSignatureAlgorithm(rootKey());
  return { algorithm, signature: nodeCrypto.sign(root.keys.privateKey, { algorithm, data }) };
}

let lastNumber = 0;
function crl(
  entries: readonly RevokedEntryInput[],
  { ageMs = 1000, base: baseCrlNumber }: { ageMs?: number; base?: number } = {},
) {
  const tbs = buildTbsCertList({
    signatureAlgorithm: defaultSignatureAlgorithm(rootKey()),
    issuer: root.name,
    thisUpdateMs: now() - ageMs,
    nextUpdateMs: now() + 3 * HOUR,
    crlNumber: ++lastNumber,
    ...(baseCrlNumber === undefined ? {} : { baseCrlNumber }),
    authorityKeyIdentifier: keyIdentifier(rootKey(), nodeCrypto.digest),
    entries,
  });
  return assembleCrl(tbs, signed(tbs));
}

const responding = (certStatus: CertStatus) => (body: Uint8Array) => {
  const { certIds, nonce } = parseOcspRequest(body);
  const data = buildOcspResponseData({
    responderId: { keyHash: keyIdentifier(rootKey(), nodeCrypto.digest) },
    producedAtMs: now(),
    responses: [
      { certId: certIds[0]?.der ?? new Uint8Array(), certStatus, thisUpdateMs: now(), nextUpdateMs: now() + HOUR },
    ],
    ...(nonce && { nonce }),
  });
  return assembleOcspResponse(data, signed(data));
};

const entryOf = ({ der }: TestCertificate, reason: NonNullable<RevokedEntryInput['reason']>): RevokedEntryInput => ({
  serialNumber: parseCertificate(der).serialBytes,
  revocationMs: REVOKED_MS,
  reason,
});
const withCrl = (name: string, path: string) =>
  makeCertificate(name, { issuer: root, extensions: [crlDistributionPointsExtension([base + path])] });

/** Advances the clock until the CRL can be requested again, and validates. */
async function laterStateOf(uuid: string) {
  test.clock.advance(2 * 60_000);
  await test.inventory.validate(uuid, test.context);
  return stateOf(uuid);
}
async function stateOf(uuid: string) {
  const { state, validationStatus, revokedAt, revocationReason, revocationSource } = await test.inventory.detail(
    uuid,
    test.context,
  );
  return { state, validationStatus, revokedAt, revocationReason, revocationSource };
}

const held = (path: string, reason = 'certificateHold') => ({
  state: 'revoked',
  validationStatus: 'revoked',
  revokedAt: '2026-01-02T03:04:05.000Z',
  revocationReason: reason,
  revocationSource: `CRL ${base}${path}`,
});
const RELEASED = {
  state: 'issued',
  validationStatus: 'valid',
  revokedAt: undefined,
  revocationReason: undefined,
  revocationSource: undefined,
};

it('stores the date, the reason and the source from a CRL, and releases a hold when the next CRL omits it', async () => {
  const leaf = await withCrl('held.test', '/held.crl');
  answers.set('/held.crl', () => crl([entryOf(leaf, 'certificateHold')]));
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual(held('/held.crl'));
  answers.set('/held.crl', () => crl([]));
  expect(await laterStateOf(uuid)).toEqual(RELEASED);
  const events = (await test.inventory.history(uuid)).filter(({ event }) => event === 'Update State');
  expect(events.map(({ message }) => message).toSorted()).toEqual(['issued -> revoked', 'revoked -> issued']);
});

it('releases a hold even after the certificate was deleted and uploaded again', async () => {
  const leaf = await withCrl('deleted.test', '/deleted.crl');
  answers.set('/deleted.crl', () => crl([entryOf(leaf, 'certificateHold')]));
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual(held('/deleted.crl'));
  await test.inventory.remove(uuid, test.context);
  const again = await test.upload(leaf.der);
  expect(await stateOf(again)).toEqual(held('/deleted.crl'));
  answers.set('/deleted.crl', () => crl([]));
  expect(await laterStateOf(again)).toEqual(RELEASED);
  await test.inventory.remove(again, test.context);
  expect(await stateOf(await test.upload(leaf.der))).toMatchObject({ state: 'issued' });
});

it('detects that a hold has become a permanent revocation with a different reason', async () => {
  const leaf = await withCrl('final.test', '/final.crl');
  answers.set('/final.crl', () => crl([entryOf(leaf, 'certificateHold')]));
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual(held('/final.crl'));
  answers.set('/final.crl', () => crl([entryOf(leaf, 'superseded')]));
  expect(await laterStateOf(uuid)).toEqual(held('/final.crl', 'superseded'));
});

it('corrects the effects of an erroneous CRL with the next CRL, even if the key was reported as compromised', async () => {
  const leaf = await withCrl('wrong.test', '/wrong.crl');
  answers.set('/wrong.crl', () => crl([entryOf(leaf, 'keyCompromise')]));
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual(held('/wrong.crl', 'keyCompromise'));
  const compromised = () => test.platform.database.query('SELECT public_key_fingerprint FROM compromised_key');
  expect(await compromised()).toHaveLength(1);
  answers.set('/wrong.crl', () => crl([]));
  expect(await laterStateOf(uuid)).toEqual(RELEASED);
  expect(await compromised()).toHaveLength(0);
});

it('keeps the hold if an older CRL is served or if no CRL is available', async () => {
  const leaf = await withCrl('older.test', '/older.crl');
  answers.set('/older.crl', () => crl([entryOf(leaf, 'certificateHold')]));
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual(held('/older.crl'));
  answers.set('/older.crl', () => crl([], { ageMs: HOUR }));
  expect(await laterStateOf(uuid)).toEqual(held('/older.crl'));
  answers.delete('/older.crl');
  test.clock.advance(4 * HOUR);
  expect(await laterStateOf(uuid)).toEqual(held('/older.crl'));
});

it('releases a hold through a delta CRL with removeFromCRL', async () => {
  const leaf = await makeCertificate('delta.test', {
    issuer: root,
    extensions: [crlDistributionPointsExtension([`${base}/base.crl`, `${base}/delta.crl`])],
  });
  const full = crl([entryOf(leaf, 'certificateHold')]);
  const number = lastNumber;
  answers.set('/base.crl', () => full);
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual(held('/base.crl'));
  answers.set('/delta.crl', () => crl([entryOf(leaf, 'removeFromCRL')], { base: number }));
  expect(await laterStateOf(uuid)).toEqual(RELEASED);
});

it('stores the status from an OCSP response, and releases the hold with the next response', async () => {
  const url = `${base}/ocsp`;
  const extensions = [authorityInfoAccessExtension({ ocsp: [url] })];
  const leaf = await makeCertificate('ocsp-held.test', { issuer: root, extensions });
  answers.set('/ocsp', responding({ status: 'revoked', revocationMs: REVOKED_MS, reason: 'certificateHold' }));
  const uuid = await test.upload(leaf.der);
  expect(await laterStateOf(uuid)).toEqual({ ...held(''), revocationSource: `OCSP ${url}` });
  answers.set('/ocsp', responding({ status: 'good' }));
  expect(await laterStateOf(uuid)).toEqual(RELEASED);
});

it('does not reverse a revocation made on the platform', async () => {
  const leaf = await withCrl('own.test', '/own.crl');
  answers.set('/own.crl', () => crl([]));
  const uuid = await test.upload(leaf.der);
  await test.platform.database.query(
    `UPDATE certificate SET state = 'revoked', validation_status = 'revoked', revoked_at = now(),
       revocation_reason = 'superseded' WHERE uuid = $1`,
    [uuid],
  );
  expect(await laterStateOf(uuid)).toMatchObject({ state: 'revoked', revocationReason: 'superseded' });
});

it('is checked again when the next CRL is due', async () => {
  const leaf = await withCrl('due.test', '/due.crl');
  answers.set('/due.crl', () => crl([entryOf(leaf, 'certificateHold')]));
  const uuid = await test.upload(leaf.der);
  await laterStateOf(uuid);
  const [due] = await test.platform.database.query<{ due_at: Date }>(
    'SELECT due_at FROM certificate_check WHERE certificate_uuid = $1',
    [uuid],
  );
  expect(due?.due_at.getTime()).toBeGreaterThan(now());
  expect(due?.due_at.getTime()).toBeLessThanOrEqual(now() + 3 * HOUR);
});
