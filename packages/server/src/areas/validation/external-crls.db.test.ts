// CRLs at the URLs in certificates: redirects, other ways to name a CRL, requests by users, and indirect CRLs. Method:
// an HTTP server on loopback, and the inventory in a database.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assembleCrl,
  authorityInfoAccessExtension,
  booleanPart,
  buildTbsCertList,
  constructed,
  crlDistributionPointsExtension,
  customExtension,
  defaultSignatureAlgorithm,
  encodeDer,
  implicitConstructed,
  implicitPrimitive,
  integerPart,
  keyIdentifier,
  OID,
  octetStringPart,
  oidPart,
  parseCertificate,
  parsePublicKey,
  sequence,
  timePart,
  type DerPart,
  type EntryList,
  type ExtensionInput,
  type RevokedEntryInput,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

type Reply = Uint8Array | { readonly location: string; readonly status?: number };

let test: TestInventory;
let root: TestCertificate;
let server: Server;
let base: string;
const replies = new Map<string, () => Reply>();
const received: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    const reply = replies.get(request.url ?? '')?.();
    if (reply === undefined) response.writeHead(404).end();
    else if (reply instanceof Uint8Array) response.writeHead(200).end(reply);
    else response.writeHead(reply.status ?? 302, { location: reply.location }).end('moved');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test = await createTestInventory();
  root = await makeRoot('CRL Root');
  await test.trust(root.der);
});
beforeEach(() => void (received.length = 0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const idOf = ({ keys }: TestCertificate) => keyIdentifier(parsePublicKey(keys.spki), nodeCrypto.digest);

function crlOf(
  signer: TestCertificate,
  entries: readonly RevokedEntryInput[] | EntryList = [],
  isIndirect = false,
): Uint8Array {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(signer.keys.spki));
  const tbs = buildTbsCertList({
    signatureAlgorithm: algorithm,
    issuer: signer.name,
    thisUpdateMs: test.clock.now().getTime() - 1000,
    nextUpdateMs: test.clock.now().getTime() + 7 * 86_400_000,
    crlNumber: 1,
    authorityKeyIdentifier: idOf(signer),
    entries,
    ...(isIndirect && { issuingDistributionPoint: { indirectCrl: true } }),
  });
  return assembleCrl(tbs, { algorithm, signature: nodeCrypto.sign(signer.keys.privateKey, { algorithm, data: tbs }) });
}

const revoking = ({ der }: TestCertificate): RevokedEntryInput => ({
  serialNumber: parseCertificate(der).serialBytes,
  revocationMs: test.clock.now().getTime() - 60_000,
  reason: 'keyCompromise',
});

const naming = (name: string, path: string, issuer = root) =>
  makeCertificate(name, { issuer, extensions: [crlDistributionPointsExtension([base + path])] });

async function validate(leaf: TestCertificate) {
  const { resultStatus, validationChecks } = await test.inventory.validate(await test.upload(leaf.der), test.context);
  return { resultStatus, crl: validationChecks?.crl_verification };
}

describe('a redirected CRL URL', () => {
  it.each([301, 302, 303, 307, 308])('is followed with status %i', async (status) => {
    const leaf = await naming(`moved${status}.test`, `/old${status}.crl`);
    replies.set(`/old${status}.crl`, () => ({ location: `/new${status}.crl`, status }));
    replies.set(`/new${status}.crl`, () => crlOf(root, [revoking(leaf)]));
    expect(await validate(leaf)).toMatchObject({ resultStatus: 'revoked', crl: { status: 'revoked' } });
    expect(received).toEqual([`GET /old${status}.crl`, `GET /new${status}.crl`]);
  });

  it('is followed three times, and not a fourth time', async () => {
    for (let hop = 0; hop < 5; hop++) replies.set(`/hop${hop}`, () => ({ location: `${base}/hop${hop + 1}` }));
    replies.set('/hop5', () => crlOf(root));
    expect((await validate(await naming('three.test', '/hop2'))).crl).toMatchObject({ status: 'valid' });
    const { crl } = await validate(await naming('four.test', '/hop1'));
    expect(crl).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('redirected more than 3 times'),
    });
  });

  it.each([
    ['address', 'http://169.254.169.254/latest/meta-data', /redirected to a URL that is blocked/],
    ['scheme', 'file:///etc/passwd', /redirected to a URL that is blocked: The URL must use http or https/],
    ['credentials', 'http://user:secret@127.0.0.1/', /must not contain credentials/],
    ['target', 'http://[', /redirected to a malformed URL/],
  ])('is not followed to a forbidden %s', async (kind, location, message) => {
    replies.set(`/to-${kind}`, () => ({ location }));
    const { crl } = await validate(await naming(`${kind}.redirect.test`, `/to-${kind}`));
    expect(crl).toMatchObject({ status: 'failed', message: expect.stringMatching(message) });
    expect(crl?.message).not.toContain('secret');
  });
});

describe('a redirected OCSP request', () => {
  it('is not followed, because it is a POST request', async () => {
    replies.set('/ocsp', () => ({ location: '/moved', status: 307 }));
    const access = authorityInfoAccessExtension({ ocsp: [`${base}/ocsp`] });
    const leaf = await makeCertificate('ocsp.redirect.test', { issuer: root, extensions: [access] });
    const { validationChecks } = await test.inventory.validate(await test.upload(leaf.der), test.context);
    expect(validationChecks?.ocsp_verification).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('responded with status 307'),
    });
    expect(received).toEqual(['POST /ocsp']);
  });
});

describe('a certificate that names its CRL without an HTTP URL', () => {
  const points = (...names: readonly DerPart[]): ExtensionInput =>
    customExtension(OID.crlDistributionPoints, {
      critical: false,
      value: encodeDer(sequence(names.map((name) => sequence([constructed(0xa0, [name])])))),
    });
  const url = (text: string): DerPart => implicitConstructed(0, [implicitPrimitive(6, Buffer.from(text))]);
  /** One RDN with the IMPLICIT tag [1]. */
  const relative = (): DerPart => {
    const utf8 = Uint8Array.of(0x0c, 4, ...Buffer.from('CRL1'));
    return implicitConstructed(1, [sequence([oidPart(OID.commonName), utf8])]);
  };

  it.each([
    ['an LDAP URL', () => points(url('ldap:///CN=CA?certificateRevocationList')), /only at ldap URLs; the platform/],
    ['LDAP and file URLs', () => points(url('ldaps://a/b'), url('file:///c')), /only at ldaps and file URLs/],
    ['nameRelativeToCRLIssuer', () => points(relative()), /only by a name relative to the CRL issuer/],
    [
      'a directory name',
      () => points(implicitConstructed(0, [constructed(0xa4, [root.name.der])])),
      /only by a directory name/,
    ],
    ['nothing', () => undefined, /^The certificate names no CRL\.$/],
  ])('is reported as such: %s', async (kind, extension, message) => {
    const added = extension();
    const leaf = await makeCertificate(`${kind}.test`, { issuer: root, ...(added && { extensions: [added] }) });
    expect((await validate(leaf)).crl).toMatchObject({
      status: 'not_checked',
      message: expect.stringMatching(message),
    });
  });

  it('is checked with the HTTP URL if it names one as well', async () => {
    replies.set('/also.crl', () => crlOf(root));
    const extension = points(url('ldap:///CN=CA'), url(`${base}/also.crl`));
    const leaf = await makeCertificate('also.test', { issuer: root, extensions: [extension] });
    expect((await validate(leaf)).crl).toMatchObject({ status: 'valid' });
  });
});

describe('a validation on request', () => {
  it('fetches CRLs again after a minute, also after a failure, unlike a validation in the background', async () => {
    const leaf = await naming('now.test', '/now.crl');
    replies.set('/now.crl', () => crlOf(root));
    const uuid = await test.upload(leaf.der);
    const statusOf = async (): Promise<string | undefined> =>
      (await test.inventory.validate(uuid, test.context)).resultStatus;
    expect(await statusOf()).toBe('valid');
    replies.set('/now.crl', () => crlOf(root, [revoking(leaf)]));
    test.clock.advance(61_000);
    expect((await test.validation.validator.validate(uuid, test.context)).resultStatus).toBe('valid');
    expect(received).toEqual(['GET /now.crl']);
    expect(await statusOf()).toBe('revoked');
    expect(received).toEqual(['GET /now.crl', 'GET /now.crl']);
    const missing = await naming('late.test', '/late.crl');
    expect((await validate(missing)).crl?.status).toBe('failed');
    replies.set('/late.crl', () => crlOf(root));
    test.clock.advance(61_000);
    const [row] = await test.platform.database.query<{ uuid: string }>(
      `SELECT uuid FROM certificate WHERE common_name = 'late.test'`,
    );
    const { chain } = await test.validation.validateChain(row?.uuid ?? '', test.context);
    expect(chain[0]?.result.validationChecks?.crl_verification).toMatchObject({ status: 'valid' });
  });
});

describe('an indirect CRL', () => {
  /** Entry of a certificate from a CA other than the CRL issuer (RFC 5280 §5.3.3). */
  function entryOf({ der }: TestCertificate, issuer: TestCertificate): EntryList {
    const names = encodeDer(sequence([constructed(0xa4, [issuer.name.der])]));
    const certificateIssuer = sequence([oidPart(OID.certificateIssuer), booleanPart(true), octetStringPart(names)]);
    const octets = encodeDer(
      sequence([
        integerPart(parseCertificate(der).serialBytes),
        timePart(test.clock.now().getTime() - 60_000),
        sequence([certificateIssuer]),
      ]),
    );
    return { octets, count: 1 };
  }

  const named = (name: string, path: string, crlIssuer: TestCertificate) =>
    makeCertificate(name, {
      issuer: root,
      extensions: [
        customExtension(OID.crlDistributionPoints, {
          critical: false,
          value: encodeDer(
            sequence([
              sequence([
                constructed(0xa0, [implicitConstructed(0, [implicitPrimitive(6, Buffer.from(base + path))])]),
                implicitConstructed(2, [constructed(0xa4, [crlIssuer.name.der])]),
              ]),
            ]),
          ),
        }),
      ],
    });

  it('counts if the inventory contains its issuer, although no certificate on the path names that issuer', async () => {
    const crlIssuer = await makeCertificate('CRL Issuer', { issuer: root, keyUsage: ['cRLSign'] });
    const revoked = await named('revoked.indirect.test', '/indirect.crl', crlIssuer);
    const good = await named('good.indirect.test', '/indirect.crl', crlIssuer);
    replies.set('/indirect.crl', () => crlOf(crlIssuer, entryOf(revoked, root), true));
    expect(await validate(good)).toMatchObject({ resultStatus: 'valid', crl: { status: 'failed' } });
    await test.upload(crlIssuer.der);
    expect(await validate(revoked)).toMatchObject({ resultStatus: 'revoked', crl: { status: 'revoked' } });
    expect(await validate(await named('other.indirect.test', '/indirect.crl', crlIssuer))).toMatchObject({
      resultStatus: 'valid',
      crl: { status: 'valid' },
    });
  });

  it('does not revoke a certificate with the same serial number from a different CA', async () => {
    const crlIssuer = await makeCertificate('Second CRL Issuer', { issuer: root, keyUsage: ['cRLSign'] });
    await test.upload(crlIssuer.der);
    const other = await makeRoot('Other CA');
    const leaf = await named('same-serial.test', '/other.crl', crlIssuer);
    replies.set('/other.crl', () => crlOf(crlIssuer, entryOf(leaf, other), true));
    expect(await validate(leaf)).toMatchObject({ resultStatus: 'valid', crl: { status: 'valid' } });
  });
});
