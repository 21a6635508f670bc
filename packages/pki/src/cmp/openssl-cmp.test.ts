// CMP interoperability with `openssl cmp` in both directions: its messages are parsed and verified here, and its client
// accepts ours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { assemblePkiMessage, buildProtectedPart, parsePkiMessage, readPkiBody, type PkiMessage } from './message.ts';
import { buildInfo, hasInfo, infoType, infoValue } from './info.ts';
import { confirmsCertificate } from './certificate-hash.ts';
import { controlValue } from '../crmf/controls.ts';
import { DAY_MS, issue, testKeys, type TestEntity } from '../testing/authority.ts';
import { exportPrivateKeyPem, nodeCrypto, nodeMacFunctions, shake256 } from '../node/index.ts';
import { findExtension, readAltNames } from '../x509/extensions.ts';
import { formatNameRfc4514 } from '../name-text.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from '../testing/openssl.ts';
import { keyUsageExtension, subjectKeyIdentifierExtension } from '../x509/extension-parts.ts';
import { keyIdentifier } from '../x509/extension-parts.ts';
import { macProtection, protectionCertificate, protectionKind } from './protection.ts';
import { OID } from '../oids.ts';
import { parseDer, readSmallInteger } from '../der/reader.ts';
import { parsePublicKey } from '../keys.ts';
import { passwordBasedMacAlgorithm } from '../crmf/password-mac.ts';
import { PEM_LABELS, readDerOrPem, writePem } from '../pem.ts';
import { verifyCertificationRequest } from '../csr.ts';
import { verifyMacProtection, verifySignatureProtection } from './protection.ts';
import { verifyProofOfPossession } from '../crmf/possession.ts';
import type { PkiBody, PkiBodyType } from './body.ts';
import type { PkiBodyInput } from './body-builder.ts';

const { verify, digest, randomBytes } = nodeCrypto;
const secret = new TextEncoder().encode('a secret of a factory');
const mac = { secret, functions: nodeMacFunctions };

let openssl: OpensslRun;
let root: TestEntity;
let device: TestEntity;
let updated: TestEntity;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  openssl = opensslFolder();
  const times = { notBeforeMs: Date.now() - DAY_MS, notAfterMs: Date.now() + DAY_MS };
  root = await issue({ ...times, subject: 'CN=CMP Root,O=Example' });
  const leaf = async (subject: string): Promise<TestEntity> => {
    const keys = await testKeys(subject === 'CN=device' ? 'P-256' : 'RSA-2048');
    const keyId = keyIdentifier(parsePublicKey(keys.spki), digest);
    const extensions = [keyUsageExtension(['digitalSignature']), subjectKeyIdentifierExtension(keyId)];
    return await issue({ ...times, subject, issuer: root, keys, extensions });
  };
  [device, updated] = [await leaf('CN=device'), await leaf('CN=updated')];
  for (const [name, entity] of Object.entries({ root, device, updated })) {
    openssl.write(`${name}.pem`, writePem('CERTIFICATE', entity.certificate.der));
    openssl.write(`${name}.key`, await exportPrivateKeyPem(entity.keys.privateKey));
  }
});
afterAll(() => openssl?.remove());

const WITH_SECRET = ['-ref', 'device-7', '-secret', `pass:${new TextDecoder().decode(secret)}`];
const WITH_KEY = ['-cert', 'device.pem', '-key', 'device.key', '-trusted', 'root.pem'];

/** Messages sent by the OpenSSL client; its own server responds, possibly with a rejection. */
function requests(options: readonly string[], expected: readonly PkiBodyType[]): PkiMessage[] {
  const files = expected.map((type) => `${type}.der`);
  const server = ['-srv_ref', 'ca', '-srv_secret', WITH_SECRET[3] ?? '', '-rsp_cert', 'device.pem'];
  const signing = options.includes('-cert') ? ['-srv_cert', 'root.pem', '-srv_key', 'root.key'] : [];
  const trust = options.includes('-cert') ? ['-srv_trusted', 'root.pem', '-ignore_keyusage'] : [];
  const out = ['-reqout', files.join(','), '-certout', 'out.pem'];
  try {
    openssl.run(
      'cmp',
      '-use_mock_srv',
      '-recipient',
      '/CN=CMP Root',
      ...server,
      ...signing,
      ...trust,
      ...out,
      ...options,
    );
  } catch {
    // The mock server does not support revocation, or update of such a certificate; the sent messages are still in the
    // files.
  }
  const messages = files.map((file) => parsePkiMessage(new Uint8Array(readFileSync(join(openssl.folder, file)))));
  expect(messages.map(({ bodyType }) => bodyType)).toEqual(expected);
  return messages;
}

function bodyOf<T extends PkiBodyType>(message: PkiMessage | undefined, type: T): PkiBody & { type: T } {
  const body = message && readPkiBody(message);
  if (body?.type !== type) throw new Error(`The body is ${body?.type}, not ${type}.`);
  return body as PkiBody & { type: T }; // Checked above.
}

const isMacValid = (message: PkiMessage | undefined, changes: Partial<typeof mac> = {}): Promise<boolean> =>
  message ? verifyMacProtection(message, { ...mac, ...changes }) : Promise.resolve(false);

describe.skipIf(!HAS_OPENSSL)(`parsing openssl cmp messages${OPENSSL_NOTE}`, () => {
  it.each(['ir', 'cr'] as const)('accepts %s with a MAC, and the confirmation that follows', async (type) => {
    const wishes = ['-newkey', 'device.key', '-subject', '/CN=device/O=Example', '-days', '30'];
    const sans = ['-sans', 'device.example', '-implicit_confirm'];
    const [request] = requests(['-cmd', type, ...WITH_SECRET, ...wishes, ...sans], [type]);
    expect(await isMacValid(request)).toBe(true);
    expect(await isMacValid(request, { secret: secret.slice(1) })).toBe(false);
    expect(request && protectionKind(request)).toBe('passwordBasedMac');
    expect(request?.header).toMatchObject({ pvno: 2, senderKid: new TextEncoder().encode('device-7') });
    expect([request?.header.transactionId?.length, request?.header.senderNonce?.length]).toEqual([16, 16]);
    expect(hasInfo(request?.header.generalInfo ?? [], 'implicitConfirm')).toBe(true);
    const [message, ...more] = bodyOf(request, type).requests;
    if (message === undefined) throw new Error('There is no request.');
    const { template, certReqId } = message.request;
    expect([certReqId, more]).toEqual([0, []]);
    expect(template.subject && formatNameRfc4514(template.subject)).toBe('O=Example,CN=device');
    expect(template.spki).toEqual(device.keys.spki);
    expect(template.validity?.notAfterMs).toBeGreaterThan(Date.now() + 29 * DAY_MS);
    const names = findExtension(template.extensions ?? [], OID.subjectAltName);
    expect(names && readAltNames(names.value)).toEqual([{ kind: 'dNSName', value: 'device.example' }]);
    expect(await verifyProofOfPossession(message, { verify })).toEqual({ proven: true, spki: template.spki });
    const changed = { ...message, request: { ...message.request, der: message.request.der.map((octet) => octet ^ 1) } };
    expect(await verifyProofOfPossession(changed, { verify })).toEqual({ proven: false, refusal: 'signature-invalid' });
  });

  it('accepts a certConf that confirms the issued certificate, and no other certificate', async () => {
    const options = ['-cmd', 'ir', ...WITH_SECRET, '-newkey', 'device.key', '-subject', '/CN=device'];
    const [, confirm] = requests(options, ['ir', 'certConf']);
    expect(await isMacValid(confirm)).toBe(true);
    const [confirmation] = bodyOf(confirm, 'certConf').confirmations;
    if (confirmation === undefined) throw new Error('Nothing is confirmed.');
    expect(confirmation).toMatchObject({ certReqId: 0, hashAlgorithm: undefined });
    const confirms = ({ certificate }: TestEntity): boolean =>
      confirmsCertificate(confirmation, { certificate, digest, shake256 });
    expect([confirms(device), confirms(updated)]).toEqual([true, false]);
  });

  it('accepts cr with different MACs and digests, as configured in the client', async () => {
    const options = ['-cmd', 'cr', ...WITH_SECRET, '-newkey', 'device.key', '-subject', '/CN=device'];
    for (const [digestName, macName] of [
      ['sha512', 'hmacWithSHA512'],
      ['sha384', 'hmacWithSHA256'],
    ] as const) {
      const [request] = requests([...options, '-digest', digestName, '-mac', macName], ['cr']);
      expect(await isMacValid(request)).toBe(true);
    }
    const [old] = requests([...options, '-digest', 'sha1'], ['cr']);
    await expect(isMacValid(old)).rejects.toMatchObject({ code: 'unsupported-algorithm' });
    expect(old && (await verifyMacProtection(old, { ...mac, limits: { allowSha1: true } }))).toBe(true);
  });

  it('distinguishes other kinds of proof from a signature', async () => {
    const options = ['-cmd', 'ir', ...WITH_SECRET, '-newkey', 'updated.key', '-subject', '/CN=device'];
    for (const [popo, refusal] of [
      ['-1', 'missing'],
      ['0', 'ra-verified'],
      ['2', 'needs-dialogue'],
    ] as const) {
      const [request] = requests([...options, '-popo', popo], ['ir']);
      const [message] = bodyOf(request, 'ir').requests;
      expect(message && (await verifyProofOfPossession(message, { verify }))).toEqual({ proven: false, refusal });
    }
  });

  it('accepts kur, signed with the old key', async () => {
    const [request] = requests(['-cmd', 'kur', ...WITH_KEY, '-newkey', 'updated.key'], ['kur']);
    if (request === undefined) throw new Error('There is no request.');
    const signer = protectionCertificate(request);
    expect(signer?.der).toEqual(device.certificate.der);
    expect(protectionKind(request)).toBe('signature');
    expect(verifySignatureProtection(request, { spki: device.keys.spki, verify })).toBe(true);
    expect(verifySignatureProtection(request, { spki: root.keys.spki, verify })).toBe(false);
    const [message] = bodyOf(request, 'kur').requests;
    const old = controlValue(message?.request.controls ?? [], 'oldCertID');
    expect(old?.serialNumber).toBe(device.certificate.serialNumber);
    expect(message?.request.template.spki).toEqual(updated.keys.spki);
    expect(message && (await verifyProofOfPossession(message, { verify }))).toMatchObject({ proven: true });
  });

  it('accepts rr with a reason', () => {
    const [request] = requests(['-cmd', 'rr', ...WITH_KEY, '-oldcert', 'device.pem', '-revreason', '4'], ['rr']);
    const [details] = bodyOf(request, 'rr').details;
    expect(details?.template.serialBytes).toEqual(device.certificate.serialBytes);
    expect(details?.template.issuer?.der).toEqual(root.name.der);
    const reason = findExtension(details?.crlEntryDetails ?? [], OID.reasonCode);
    expect(reason && readSmallInteger(parseDer(reason.value), 10)).toBe(4);
  });

  it('accepts p10cr and genm', async () => {
    openssl.run('req', '-new', '-key', 'device.key', '-subj', '/CN=device', '-out', 'device.csr');
    const [request] = requests(['-cmd', 'p10cr', ...WITH_SECRET, '-csr', 'device.csr'], ['p10cr']);
    expect(await isMacValid(request)).toBe(true);
    expect(verifyCertificationRequest(bodyOf(request, 'p10cr').request, verify)).toBe(true);
    const [question] = requests(['-cmd', 'genm', ...WITH_SECRET, '-infotype', 'signKeyPairTypes'], ['genm']);
    expect(bodyOf(question, 'genm').infos).toEqual([{ type: infoType('signKeyPairTypes'), value: undefined }]);
    expect(infoValue(bodyOf(question, 'genm').infos, 'signKeyPairTypes')).toBeUndefined();
  });
});

/** A response in a separate transaction: with `-rspin`, the client adopts its transaction ID and nonces. */
async function respond(body: PkiBodyInput, protection: 'pbm' | 'signature'): Promise<Uint8Array> {
  const algorithm =
    protection === 'signature'
      ? root.algorithm.der
      : passwordBasedMacAlgorithm({ salt: randomBytes(20), iterations: 1000 });
  const part = buildProtectedPart(
    {
      pvno: 2,
      sender: { kind: 'directoryName', name: root.name },
      recipient: { kind: 'directoryName', name: device.name },
      messageTimeMs: Date.now(),
      protectionAlgorithm: { der: algorithm },
      senderKid: protection === 'signature' ? root.keyId : new TextEncoder().encode('device-7'),
      transactionId: randomBytes(16),
      senderNonce: randomBytes(16),
      recipientNonce: randomBytes(16),
      freeText: ['Grüße'],
    },
    body,
  );
  return protection === 'signature'
    ? assemblePkiMessage(part, { protection: root.sign(part).signature, extraCerts: [root.certificate.der] })
    : assemblePkiMessage(part, { protection: await macProtection(part, { ...mac, algorithm }) });
}

describe.skipIf(!HAS_OPENSSL)(`openssl cmp accepts our messages${OPENSSL_NOTE}`, () => {
  /** Runs the client with the responses; its output shows what it parsed. */
  async function run(options: readonly string[], bodies: readonly PkiBodyInput[], kind: Parameters<typeof respond>[1]) {
    const files = await Promise.all(
      bodies.map(async (body, index) => openssl.write(`rsp${index}.der`, await respond(body, kind))),
    );
    const trust = kind === 'signature' ? ['-trusted', 'root.pem', '-ignore_keyusage'] : [];
    const all = ['cmp', '-recipient', '/CN=CMP Root', '-rspin', files.join(','), ...trust, ...options];
    return openssl.run(...all, '-certout', 'got.pem', '-cacertsout', 'ca-got.pem');
  }
  const readReceivedCertificate = (): Uint8Array =>
    readDerOrPem(readFileSync(join(openssl.folder, 'got.pem'), 'utf8'), PEM_LABELS.certificate);
  const acceptedResponses = (entity: TestEntity, certReqId = 0) => [
    { certReqId, status: { status: 'accepted' }, certificate: entity.certificate.der } as const,
  ];

  it.each([
    ['ir', 'ip', 'pbm'],
    ['cr', 'cp', 'signature'],
  ] as const)('in response to %s: %s with %s protection', async (command, type, kind) => {
    const bodies = [
      { type, caPubs: [root.certificate.der], responses: acceptedResponses(device) },
      { type: 'pkiconf' },
    ] as const;
    const credentials = kind === 'signature' ? WITH_KEY : WITH_SECRET;
    const wishes = ['-newkey', 'device.key', '-subject', '/CN=device'];
    await run(['-cmd', command, ...credentials, ...wishes], bodies, kind);
    expect(readReceivedCertificate()).toEqual(device.certificate.der);
  });

  it('a response delivered after polling', async () => {
    const waiting = { certReqId: 0, status: { status: 'waiting' } } as const;
    const bodies: PkiBodyInput[] = [
      { type: 'ip', responses: [waiting] },
      { type: 'pollRep', waits: [{ certReqId: 0, checkAfterSeconds: 0, reason: ['later'] }] },
      { type: 'ip', responses: acceptedResponses(device) },
      { type: 'pkiconf' },
    ];
    await run(['-cmd', 'ir', ...WITH_SECRET, '-newkey', 'device.key', '-subject', '/CN=device'], bodies, 'pbm');
    expect(readReceivedCertificate()).toEqual(device.certificate.der);
  });

  it('kup, rp and genp', async () => {
    const update = [{ type: 'kup', responses: acceptedResponses(updated) }, { type: 'pkiconf' }] as const;
    await run(['-cmd', 'kur', ...WITH_KEY, '-newkey', 'updated.key'], update, 'signature');
    expect(readReceivedCertificate()).toEqual(updated.certificate.der);
    const certIds = [
      { issuer: { kind: 'directoryName', name: root.name }, serialBytes: device.certificate.serialBytes } as const,
    ];
    const revoked: PkiBodyInput = { type: 'rp', statuses: [{ status: 'accepted' }], certIds };
    await run(['-cmd', 'rr', ...WITH_KEY, '-oldcert', 'device.pem'], [revoked], 'signature');
    const infos = [buildInfo('signKeyPairTypes', [{ oid: root.algorithm.oid, der: root.algorithm.der }])];
    const general = ['-cmd', 'genm', ...WITH_SECRET, '-infotype', 'signKeyPairTypes'];
    expect(await run(general, [{ type: 'genp', infos }], 'pbm')).toContain('signKeyPairTypes');
  });

  it('a rejection with its failure bits and texts', async () => {
    const status = { status: 'rejection', failures: ['badPOP', 'duplicateCertReq'], texts: ['not this key'] } as const;
    const options = ['-cmd', 'ir', ...WITH_SECRET, '-newkey', 'device.key', '-subject', '/CN=device'];
    const body: PkiBodyInput = { type: 'error', status, errorCode: 7, details: ['ask the operator'] };
    const output = await run(options, [body], 'pbm').catch(({ stdout, stderr }: { stdout: string; stderr: string }) =>
      stdout.concat(stderr),
    );
    expect(output).toMatch(/rejection.*badPOP, duplicateCertReq.*not this key.*ask the operator/s);
  });
});
