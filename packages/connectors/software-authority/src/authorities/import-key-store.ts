// Imports an existing CA from PKCS #12 or PEM. Its key and certificates are checked against each other before anything
// is stored.
import type { KeyObject } from 'node:crypto';
import { rejected, type FileContent } from '@signetry/connector-sdk';
import {
  checkKeyPolicy,
  defaultSignatureAlgorithm,
  equalBytes,
  isSignedBy,
  parseCertificate,
  readPem,
  type Certificate,
} from '@signetry/pki';
import { exportPublicKey, importPrivateKey, nodeCrypto, pkcs12Identity, readPkcs12 } from '@signetry/pki/node';
import { gatherProblems, readOrReject, readOrRejectAsync } from '../problems.ts';

export interface ImportedCertificates {
  readonly certificate: Certificate;
  /** Superior CA certificates, starting with the issuer. */
  readonly chain: readonly Certificate[];
}

export interface ImportedCa extends ImportedCertificates {
  readonly privateKey: KeyObject;
}

/** Maximum number of superior CA certificates. */
const MAX_CHAIN = 16;

export async function importKeyStore(
  file: FileContent,
  options: { readonly password: string | undefined; readonly now: Date },
): Promise<ImportedCa> {
  const { password, now } = options;
  const imported = await readOrRejectAsync('Cannot import the file', () =>
    isPem(file.bytes) ? readPemFile(file.bytes, password) : readPkcs12File(file.bytes, password),
  );
  rejectUnusable(imported, { spki: exportPublicKey(imported.privateKey), now });
  return imported;
}

/** Imports a CA's certificate, along with those of its superior CAs, from PEM if its key is stored elsewhere. */
export function importCertificates(
  file: FileContent,
  options: { readonly spki: Uint8Array; readonly now: Date },
): ImportedCertificates {
  const imported = readOrReject('Cannot import the file', () => {
    if (!isPem(file.bytes)) throw rejected('For a key in a token, the file must contain only certificates, in PEM.');
    return readCertificates(new TextDecoder().decode(file.bytes), options.spki);
  });
  rejectUnusable(imported, options);
  return imported;
}

/** DER starts with a SEQUENCE tag; PEM is text. */
const isPem = (bytes: Uint8Array): boolean => bytes[0] !== 0x30;

async function readPkcs12File(bytes: Uint8Array, password: string | undefined): Promise<ImportedCa> {
  const { privateKey, chain } = pkcs12Identity(await readPkcs12(bytes, { password: password ?? '' }));
  const [certificate, ...above] = chain;
  if (!certificate) throw rejected('The file contains no certificate for its key.');
  return { privateKey, certificate, chain: above };
}

async function readPemFile(bytes: Uint8Array, password: string | undefined): Promise<ImportedCa> {
  const text = new TextDecoder().decode(bytes);
  const privateKey = await importPrivateKey(text, password === undefined ? {} : { password });
  return { privateKey, ...readCertificates(text, exportPublicKey(privateKey)) };
}

function readCertificates(text: string, spki: Uint8Array): ImportedCertificates {
  const certificates = readPem(text)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ der }) => parseCertificate(der));
  const certificate = certificates.find((candidate) => equalBytes(candidate.spki, spki));
  if (!certificate) throw rejected('The file contains no certificate for the key.');
  return { certificate, chain: chainAbove(certificate, certificates) };
}

/** Follows the issuers by name and signature, regardless of their order in the file. */
function chainAbove(certificate: Certificate, candidates: readonly Certificate[]): readonly Certificate[] {
  const chain: Certificate[] = [];
  let current = certificate;
  while (!current.isSelfIssued && chain.length < MAX_CHAIN) {
    const issuer = candidates.find((candidate) => isIssuedBy(current, candidate));
    if (!issuer) break;
    chain.push(issuer);
    current = issuer;
  }
  return chain;
}

const isIssuedBy = (certificate: Certificate, issuer: Certificate): boolean =>
  equalBytes(certificate.issuerDer, issuer.subjectDer) &&
  isSignedBy(certificate, { issuerSpki: issuer.spki, verify: nodeCrypto.verify });

function rejectUnusable(
  { certificate, chain }: ImportedCertificates,
  { spki, now }: { readonly spki: Uint8Array; readonly now: Date },
): void {
  const problems = gatherProblems();
  if (!equalBytes(spki, certificate.spki)) problems.add('The key and the certificate do not match.');
  if (!certificate.isCa) problems.add('The certificate is not a CA certificate (basicConstraints).');
  if (certificate.keyUsage && !certificate.keyUsage.includes('keyCertSign')) {
    problems.add('The certificate must have the key usage keyCertSign.');
  }
  if (certificate.notAfterMs <= now.getTime()) problems.add('The certificate has expired.');
  for (const finding of checkKeyPolicy(certificate.publicKey)) problems.add(finding.message);
  problems.attempt('The key', () => defaultSignatureAlgorithm(certificate.publicKey));
  const path = [certificate, ...chain];
  for (const [index, link] of path.entries()) {
    const issuer = path[index + 1];
    if (issuer && !isIssuedBy(link, issuer)) problems.add('The certificates in the file do not form a chain.');
  }
  if (certificate.isSelfIssued && !isIssuedBy(certificate, certificate)) {
    problems.add('The signature of the root certificate is invalid.');
  }
  problems.refuse();
}
