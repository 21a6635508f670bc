// SCEP client messages for tests, including invalid ones, and an RA certificate whose key is in memory.
import {
  assembleCertificationRequest,
  assembleScepMessage,
  buildCertificationRequestInfo,
  buildContentInfo,
  buildSignedAttributes,
  issuerAndSerialOf,
  OID,
  parseCertificate,
  scepAttributes,
  sealEnvelope,
  signatureAlgorithm,
  type Attribute,
  type CbcCipherName,
  type Certificate,
  type KeyTransport,
  type ScepMessageType,
} from '@signetry/pki';
import { generateKeyPair, nodeCmsCrypto, nodeCrypto, recipientKeyOf, type KeyPair } from '@signetry/pki/node';
import {
  makeCertificate,
  type TestCertificate,
  type CertificateSpec,
} from '../../../areas/certificates/testing/test-certificates.ts';
import type { SigningCertificate } from '../../../areas/signing-certificates/index.ts';
import { readMessage } from '../open-message.ts';

export interface Device extends TestCertificate {
  readonly certificate: Certificate;
}

const RSA_SHA256 = signatureAlgorithm('SHA256withRSA');

let sharedKeys: Promise<KeyPair> | undefined;

/** Returns a key pair that most devices share, since generating one is slow. */
const rsaKeys = (): Promise<KeyPair> => (sharedKeys ??= generateKeyPair('RSA-2048'));

/** Creates a device, with a self-signed certificate unless an issuer is specified. */
export async function makeDevice(commonName: string, wish: CertificateSpec = {}): Promise<Device> {
  const made = await makeCertificate(commonName, { ...wish, keys: wish.keys ?? (await rsaKeys()) });
  return { ...made, certificate: parseCertificate(made.der) };
}

/** Returns the certificate that SCEP is served with (of a device or an authority) and its chain. */
export const serviceOf = (own: Device, ...issuers: readonly Device[]): SigningCertificate => ({
  certificate: own.certificate,
  chain: [own, ...issuers].map(({ der }) => der),
  algorithm: RSA_SHA256,
  sign: async (data) => nodeCrypto.sign(own.keys.privateKey, { algorithm: RSA_SHA256, data }),
  decrypt: async (transport, encrypted) => recipientKeyOf(own.keys.privateKey).decrypt?.(transport, encrypted),
});

/** PKCS#10 in DER. */
export function requestOf({ name, keys }: Device, challengePassword?: string): Uint8Array {
  const info = buildCertificationRequestInfo({
    subject: name,
    spki: keys.spki,
    ...(challengePassword === undefined ? {} : { challengePassword }),
  });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm: RSA_SHA256, data: info });
  return assembleCertificationRequest(info, { algorithm: RSA_SHA256, signature });
}

export interface MessageSpec {
  readonly signer: Device;
  readonly recipient: Certificate;
  readonly type?: ScepMessageType;
  readonly transactionId?: string;
  readonly content?: Uint8Array;
  readonly cipher?: CbcCipherName;
  /** Default: PKCS #1 v1.5. */
  readonly transport?: KeyTransport;
  readonly digest?: 'SHA1' | 'SHA256' | 'SHA512';
  /** Replaces the encrypted content; empty for none. */
  readonly envelope?: Uint8Array;
  /** Replaces the attributes for type and transaction ID. */
  readonly attributes?: readonly Attribute[];
  /** Signs different bytes. */
  readonly isForged?: boolean;
}

export const NONCE = new Uint8Array(16).fill(7);

export async function makeMessage(wish: MessageSpec): Promise<Uint8Array> {
  const { signer, type = 'PKCSReq', transactionId = 'transaction', digest = 'SHA256', isForged = false } = wish;
  const content = wish.envelope ?? (await sealFor(wish));
  const algorithm = signatureAlgorithm(`${digest}withRSA`);
  const attributes = wish.attributes ?? scepAttributes({ messageType: type, transactionId, senderNonce: NONCE });
  const signedAttributes = buildSignedAttributes({ content, algorithm, digest: nodeCrypto.digest, attributes });
  const data = isForged ? Buffer.from('other octets') : signedAttributes;
  const signature = nodeCrypto.sign(signer.keys.privateKey, { algorithm, data });
  return assembleScepMessage({
    envelope: content,
    certificates: [signer.der],
    signer: { identifier: issuerAndSerialOf(signer.certificate), algorithm, signature, signedAttributes },
  });
}

async function sealFor(wish: MessageSpec): Promise<Uint8Array> {
  const { recipient, content = Buffer.from('content'), cipher = 'aes-128-cbc' } = wish;
  const recipients = [{ certificate: recipient, transport: wish.transport ?? ({ kind: 'rsa-pkcs1' } as const) }];
  const sealed = await sealEnvelope({ content, recipients, cipher }, nodeCmsCrypto);
  return buildContentInfo({ contentType: OID.pkcs7EnvelopedData, content: sealed });
}

/** Creates a message and reads it as the server does. */
export async function makeReadMessage(wish: MessageSpec) {
  const message = readMessage(await makeMessage(wish));
  if (!message) throw new Error('Cannot read the test message.');
  return message;
}
