// A SCEP client on the codec of the platform: makes messages, also wrong ones, and reads the answers.
import type { KeyObject } from 'node:crypto';
import {
  assembleCertificate,
  assembleCertificationRequest,
  assembleScepMessage,
  buildCertificationRequestInfo,
  buildContentInfo,
  buildIssuerAndSubject,
  buildName,
  buildSignedAttributes,
  buildTbsCertificate,
  issuerAndSerialOf,
  OID,
  openContentInfo,
  openEnvelope,
  parseCertificate,
  parseEnvelopedData,
  parseNameText,
  parseSignedData,
  readPkcs7,
  readScepMessage,
  scepAttributes,
  sealEnvelope,
  signatureAlgorithm,
  verifySigner,
  answersNonce,
  type CbcCipherName,
  type Certificate,
  type ScepMessage,
  type ScepMessageType,
} from '@signetry/pki';
import { generateKeyPair, nodeCmsCrypto, nodeCrypto, recipientKeyOf, type KeyPair } from '@signetry/pki/node';
import { expect } from 'vitest';

export interface ScepSigner {
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
}

export interface ScepDevice extends ScepSigner {
  readonly subject: string;
  readonly keys: KeyPair;
}

const DAY_MS = 24 * 3_600_000;
const RSA_SHA256 = signatureAlgorithm('SHA256withRSA');

/** A device with a key pair, and the certificate that it made itself. */
export async function makeDevice(subject: string): Promise<ScepDevice> {
  const keys = await generateKeyPair('RSA-2048');
  const name = buildName(parseNameText(subject));
  const tbs = buildTbsCertificate({
    serialNumber: Uint8Array.of(1),
    signatureAlgorithm: RSA_SHA256,
    issuer: name,
    subject: name,
    notBeforeMs: Date.now() - DAY_MS,
    notAfterMs: Date.now() + DAY_MS,
    spki: keys.spki,
    extensions: [],
  });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm: RSA_SHA256, data: tbs });
  const certificate = parseCertificate(assembleCertificate(tbs, { algorithm: RSA_SHA256, signature }));
  return { subject, keys, privateKey: keys.privateKey, certificate };
}

/** PKCS#10 in DER. */
export function requestOf({ subject, keys }: ScepDevice, challengePassword?: string): Uint8Array {
  const info = buildCertificationRequestInfo({
    subject: buildName(parseNameText(subject)),
    spki: keys.spki,
    extensions: [],
    ...(challengePassword === undefined ? {} : { challengePassword }),
  });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm: RSA_SHA256, data: info });
  return assembleCertificationRequest(info, { algorithm: RSA_SHA256, signature });
}

export const pollOf = ({ certificate }: ScepSigner, ca: Certificate): Uint8Array =>
  buildIssuerAndSubject({ issuer: ca.subjectDer, subject: certificate.subjectDer });

export interface MessageWish {
  readonly type: ScepMessageType;
  readonly transactionId: string;
  readonly content: Uint8Array;
  readonly signer: ScepSigner;
  readonly recipient: Certificate;
  readonly cipher?: CbcCipherName;
  readonly digest?: 'SHA1' | 'SHA256';
}

export async function makeMessage(wish: MessageWish): Promise<Uint8Array> {
  const { type, transactionId, content, signer, recipient, cipher = 'aes-128-cbc', digest = 'SHA256' } = wish;
  const recipients = [{ certificate: recipient, transport: { kind: 'rsa-pkcs1' } as const }];
  const envelope = buildContentInfo({
    contentType: OID.pkcs7EnvelopedData,
    content: await sealEnvelope({ content, recipients, cipher }, nodeCmsCrypto),
  });
  const algorithm = signatureAlgorithm(`${digest}withRSA`);
  const attributes = scepAttributes({ messageType: type, transactionId, senderNonce: nodeCrypto.randomBytes(16) });
  const signedAttributes = buildSignedAttributes({
    content: envelope,
    algorithm,
    digest: nodeCrypto.digest,
    attributes,
  });
  const signature = nodeCrypto.sign(signer.privateKey, { algorithm, data: signedAttributes });
  const identifier = issuerAndSerialOf(signer.certificate);
  return assembleScepMessage({
    envelope,
    certificates: [signer.certificate.der],
    signer: { identifier, algorithm, signature, signedAttributes },
  });
}

export interface ScepAnswer extends Pick<ScepMessage, 'status' | 'failInfo' | 'failInfoText' | 'transactionId'> {
  readonly certificates: readonly Certificate[];
  /** In DER. */
  readonly crls: readonly Uint8Array[];
}

/** Posts a message and checks what every answer must have. */
export async function post(url: string, message: Uint8Array, contentType = 'application/x-pki-message') {
  return fetch(`${url}?operation=PKIOperation`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: Buffer.from(message),
  });
}

export async function readAnswer(
  response: Response,
  { message, signer, ca }: { readonly message: Uint8Array; readonly signer: ScepSigner; readonly ca: Certificate },
): Promise<ScepAnswer> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-pki-message']);
  const answer = readScepMessage(new Uint8Array(await response.arrayBuffer()), nodeCrypto.digest);
  const { verify, digest } = nodeCrypto;
  expect(verifySigner(answer.signedData, answer.signer, { certificate: ca, verify, digest }).valid).toBe(true);
  const asked = readScepMessage(message, digest);
  expect(answer.messageType).toBe('CertRep');
  expect(answer.transactionId).toBe(asked.transactionId);
  expect(answersNonce(answer, asked)).toBe(true);
  const { status, failInfo, failInfoText, transactionId, envelope } = answer;
  if (status !== 'success' || !envelope)
    return { status, failInfo, failInfoText, transactionId, certificates: [], crls: [] };
  const opened = await openEnvelope(
    parseEnvelopedData(openContentInfo(envelope, OID.pkcs7EnvelopedData)),
    { certificate: signer.certificate, key: recipientKeyOf(signer.privateKey) },
    nodeCmsCrypto,
  );
  const { certificates, crls } = parseSignedData(openContentInfo(opened, OID.pkcs7SignedData));
  const parsed = certificates.map((der) => parseCertificate(der));
  return { status, failInfo, failInfoText, transactionId, certificates: parsed, crls };
}

/** The certificates that GetCACert answers with, the recipient first. */
export async function caCertificates(url: string): Promise<readonly Certificate[]> {
  const response = await fetch(`${url}?operation=GetCACert`);
  expect(response.status).toBe(200);
  const body = new Uint8Array(await response.arrayBuffer());
  if (response.headers.get('content-type') === 'application/x-x509-ca-cert') return [parseCertificate(body)];
  expect(response.headers.get('content-type')).toBe('application/x-x509-ca-ra-cert');
  return readPkcs7(body).map((der) => parseCertificate(der));
}
