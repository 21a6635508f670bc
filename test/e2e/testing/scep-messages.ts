// SCEP client messages based on the platform's codec, including malformed ones.
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
  parseCertificate,
  parseNameText,
  scepAttributes,
  sealEnvelope,
  signatureAlgorithm,
  type CbcCipherName,
  type Certificate,
  type KeyTransport,
  type ScepMessageType,
} from '@signetry/pki';
import { generateKeyPair, nodeCmsCrypto, nodeCrypto, type KeyPair } from '@signetry/pki/node';

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

/** Creates a device with a key pair and a self-signed certificate. */
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

export interface MessageSpec {
  readonly type: ScepMessageType;
  readonly transactionId: string;
  readonly content: Uint8Array;
  readonly signer: ScepSigner;
  readonly recipient: Certificate;
  readonly cipher?: CbcCipherName;
  readonly digest?: 'SHA1' | 'SHA256';
  /** Default: PKCS #1 v1.5. */
  readonly transport?: KeyTransport;
  /** EnvelopedData in a ContentInfo, instead of the content. */
  readonly envelope?: Uint8Array;
}

export async function makeMessage(wish: MessageSpec): Promise<Uint8Array> {
  const { type, transactionId, content, signer, recipient, cipher = 'aes-128-cbc', digest = 'SHA256' } = wish;
  const recipients = [{ certificate: recipient, transport: wish.transport ?? ({ kind: 'rsa-pkcs1' } as const) }];
  const envelope =
    wish.envelope ??
    buildContentInfo({
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
