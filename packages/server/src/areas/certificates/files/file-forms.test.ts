// Files as written by third-party tools are read identically by an upload, an import over REST and on the command line,
// a file discovery and `signetry lint`, and all of them report the accepted variants.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assembleCertificate,
  buildTbsCertificate,
  describeForms,
  encodeDer,
  formsOf,
  OID,
  oidPart,
  parseCertificate,
  readCrl,
  revokedEntries,
  sequence,
  signatureAlgorithm,
  writePem,
  writePkcs7,
  type LenientForm,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { lintFiles } from '../../../../../cli/src/program/certificates/lint-objects.ts';
import { splitFile } from '../../../../../client/src/certificate-files.ts';
import { readCertificates } from '../../../../../connectors/file-discovery/src/files/read-certificates.ts';
import { prepareImport } from '../../inventory/importing/prepare-sets.ts';
import { readBundle } from '../../inventory/importing/read-bundle.ts';
import { makeCertificate } from '../testing/test-certificates.ts';
import { readUpload } from './read-upload.ts';

const { der } = await makeCertificate('odd');
const pem = writePem('CERTIFICATE', der);
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Trust settings that OpenSSL appends to a certificate trusted for servers (`x509 -trustout -addtrust serverAuth`). */
const TRUST = Buffer.from('300c300a06082b06010505070301', 'hex');

/** Signed with RSA, with NULL parameters only outside the signed part. */
async function withoutInnerNull(): Promise<Uint8Array> {
  const keys = await generateKeyPair('RSA-2048');
  const algorithm = signatureAlgorithm('SHA256withRSA');
  const name = parseCertificate(der).subject;
  const tbs = buildTbsCertificate({
    serialNumber: Uint8Array.of(0x41, 1, 2, 3, 4, 5, 6, 7, 8),
    signatureAlgorithm: { ...algorithm, der: encodeDer(sequence([oidPart(OID.sha256WithRsa)])) },
    issuer: name,
    subject: name,
    notBeforeMs: Date.now(),
    notAfterMs: Date.now() + 86_400_000,
    spki: keys.spki,
    extensions: [],
  });
  return assembleCertificate(tbs, { algorithm, signature: nodeCrypto.sign(keys.privateKey, { algorithm, data: tbs }) });
}
const rsa = await withoutInnerNull();

const NO_CODES = { byOid: new Map<string, string>(), byCode: new Map<string, string>() };

type Row = readonly [name: string, file: Buffer, forms: readonly LenientForm[], contents?: Uint8Array];

const made: readonly Row[] = [
  ['PEM', Buffer.from(pem), []],
  ['UTF-16, little endian, with a byte order mark', Buffer.from(`\uFEFF${pem}`, 'utf16le'), ['utf-16']],
  ['UTF-16, little endian', Buffer.from(pem, 'utf16le'), ['utf-16']],
  ['UTF-16, big endian, with a byte order mark', utf16be(`\uFEFF${pem}`), ['utf-16']],
  ['UTF-16, big endian', utf16be(pem), ['utf-16']],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${pem}`), []],
  ['Base64 with a byte order mark', Buffer.from(`\uFEFF${Buffer.from(der).toString('base64')}`), []],
  ['TRUSTED CERTIFICATE', Buffer.from(writePem('TRUSTED CERTIFICATE', Buffer.concat([der, TRUST]))), ['trusted-certificate']], // prettier-ignore
  ['line ends as two characters', Buffer.from(pem.replaceAll('\n', String.raw`\n`)), ['escaped-line-breaks']],
  ['CRLF as four characters', Buffer.from(pem.replaceAll('\n', String.raw`\r\n`)), ['escaped-line-breaks']],
  ['PKCS #7 with a certificate label', Buffer.from(writePem('CERTIFICATE', writePkcs7([der]))), ['pkcs7-label']],
  ['PKCS #7', Buffer.from(writePkcs7([der])), []],
  ['DER', Buffer.from(der), []],
  ['DER followed by a line end', Buffer.concat([der, Buffer.from('\r\n')]), ['trailing-bytes']],
  ['DER followed by zeros', Buffer.concat([der, Buffer.alloc(512)]), ['trailing-bytes']],
  ['PEM of DER followed by zeros', Buffer.from(writePem('CERTIFICATE', Buffer.concat([der, Buffer.alloc(3)]))), ['trailing-bytes']], // prettier-ignore
  ['RSA without NULL in one place', Buffer.from(rsa), ['rsa-parameters'], rsa],
  ['UTF-16 and RSA without NULL', Buffer.from(writePem('CERTIFICATE', rsa), 'utf16le'), ['utf-16', 'rsa-parameters'], rsa], // prettier-ignore
];

const recording = (name: string): Buffer => readFileSync(new URL(`../testing/recorded-files/${name}`, import.meta.url));

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex');

/** Reads the file at each entry point; returns the certificates and the variants. */
async function readEverywhere(file: Buffer, name = 'file') {
  const upload = readUpload(file.toString('base64'));
  const [content = ''] = splitFile(name, file).map((piece) => piece.content);
  const bundles = [file.toString('base64'), content].map((each) => readBundle([{ name, content: each }], 10));
  const discovered = await readCertificates(file, []);
  const ofBundle = ({ found, refused }: (typeof bundles)[number]) => {
    expect(refused).toEqual([]);
    return found.map((each) => ({ certificate: hex(each.der), forms: formsOf(each, parseCertificate(each.der)) }));
  };
  return {
    upload: upload.map(({ certificate, forms = [] }) => ({ certificate: hex(certificate.der), forms })),
    importOverRest: ofBundle(bundles[0] ?? expect.unreachable()),
    importOnCommandLine: ofBundle(bundles[1] ?? expect.unreachable()),
    discovery: discovered.certificates.map((each) => ({ certificate: hex(each.der), forms: discovered.forms })),
  };
}

async function lint(name: string, file: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'forms-'));
  try {
    writeFileSync(join(folder, name), file);
    return await lintFiles([name], { cwd: folder, sets: undefined });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function expectEverywhere(
  file: Buffer,
  expected: { readonly certificate: string; readonly forms: readonly LenientForm[] },
) {
  // prettier-ignore
  expect(await readEverywhere(file)).toEqual({
    upload: [expected],
    importOverRest: [expected],
    importOnCommandLine: [expected],
    discovery: [expected],
  });
  const [object, ...others] = await lint('file', file);
  expect([object?.kind, others]).toEqual(['certificate', []]);
  const ofFile = expected.forms.filter((form) => form !== 'rsa-parameters');
  expect(object?.fileFindings ?? []).toEqual(describeForms(ofFile));
  const rules = object?.findings.map(({ rule }) => rule);
  expect(rules?.includes('signature-algorithms-equal')).toBe(expected.forms.includes('rsa-parameters'));
}

describe('a certificate is read at every entry point, with the same findings, from', () => {
  it.each(made.map(([name, file, forms, contents = der]) => ({ name, file, forms, contents })))(
    '$name',
    async ({ file, forms, contents }) => expectEverywhere(file, { certificate: hex(contents), forms }),
  );

  it.each([
    ['utf16le.cer', ['utf-16']],
    ['trusted-certificate.pem', ['trusted-certificate']],
    ['escaped-newlines.pem', ['escaped-line-breaks']],
    ['pkcs7-labelled-certificate.pem', ['pkcs7-label']],
    ['year0-notbefore.pem', []],
  ] as const)('the recorded file %s', async (name, forms) => {
    const [read] = readUpload(recording(name).toString('base64'));
    await expectEverywhere(recording(name), { certificate: hex(read?.certificate.der ?? expect.unreachable()), forms });
  });
});

describe('a file is rejected at every entry point if it is', () => {
  it.each([
    ['DER followed by other bytes', Buffer.concat([der, Buffer.from('x')])],
    ['half of a certificate', Buffer.from(der.subarray(0, der.length / 2))],
    ['PEM of half of a certificate', Buffer.from(writePem('CERTIFICATE', der.subarray(0, der.length / 2)))],
  ])('%s', async (_form, file) => {
    const content = file.toString('base64');
    expect(() => readUpload(content)).toThrow();
    const prepared = prepareImport({ files: [{ content }], maxCertificates: 9, awaitedKeys: [], codes: NO_CODES });
    expect([prepared.sets.length, prepared.refused.length]).toEqual([0, 1]);
    await expect(readCertificates(file, [])).rejects.toMatchObject({ kind: 'broken' });
    expect((await lint('file', file)).map(({ kind }) => kind)).toEqual(['unreadable']);
  });
});

describe('other recorded files', () => {
  it('a Java key store is read by a discovery with its password, and rejected elsewhere with a reason', async () => {
    const file = recording('jks-upper-case-alias.jks');
    const { format, certificates } = await readCertificates(file, ['changeit']);
    expect([format, certificates.map(({ alias }) => alias?.toLowerCase())]).toEqual(['JKS', ['mytomcat']]);
    expect(() => readUpload(file.toString('base64'))).toThrow(/must contain a certificate in DER or PEM, or PKCS #7/);
    expect((await lint('store.jks', file)).map(({ title }) => title)).toEqual([
      'The file must contain a certificate in DER or PEM, or PKCS #7.',
    ]);
  });

  it.each([
    ['foreign-hold.crl', '7c', 'certificateHold'],
    ['foreign-revoked-superseded.crl', '67', 'superseded'],
  ])('%s is a readable CRL, and not a certificate', async (name, serialNumber, reason) => {
    const file = recording(name);
    expect([...revokedEntries(readCrl(file))].map((entry) => [entry.serialNumber, entry.reason])).toEqual([
      [serialNumber, reason],
    ]);
    expect(() => readUpload(file.toString('base64'))).toThrow();
    expect((await readCertificates(file, [])).certificates).toEqual([]);
  });
});

describe('an import', () => {
  it('reports each variant once per file, with the number of certificates, and records it in the history', () => {
    const file = Buffer.from(`${pem}${writePem('CERTIFICATE', rsa)}`, 'utf16le').toString('base64');
    const { findings, sets } = prepareImport({
      files: [{ content: pem }, { name: 'windows.cer', content: file }],
      maxCertificates: 10,
      awaitedKeys: [],
      codes: NO_CODES,
    });
    expect(findings).toEqual([
      { file: 2, name: 'windows.cer', certificates: 2, finding: 'The text is encoded in UTF-16 instead of ASCII.' },
      { file: 2, name: 'windows.cer', certificates: 1, finding: describeForms(['rsa-parameters'])[0] },
    ]);
    expect([...(sets[0]?.messages.values() ?? [])]).toEqual([
      'Certificate imported',
      `Certificate imported from windows.cer. ${describeForms(['utf-16', 'rsa-parameters']).join(' ')}`,
    ]);
  });
});
