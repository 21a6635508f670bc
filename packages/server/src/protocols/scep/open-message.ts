// Opens requests: verifies the signature, then opens the envelope. Content that cannot be decrypted and content that
// cannot be parsed are rejected with the same error after the same amount of work: any difference would be a decryption
// oracle (RFC 3218).
import {
  DerError,
  isPkiError,
  OID,
  openContentInfo,
  openEnvelope,
  parseEnvelopedData,
  PkiError,
  readScepMessage,
  verifySigner,
  withoutPadding,
  type CbcCipherName,
  type EnvelopedData,
  type KeyTransport,
  type ScepMessage,
  type SignerRejection,
} from '@signetry/pki';
import { nodeCmsCrypto, nodeCrypto } from '@signetry/pki/node';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';
import { reject, ScepRejection } from './rejection.ts';

/** Returns `undefined` if the bytes are not a message, so that no response is possible. */
export function readMessage(octets: Uint8Array): ScepMessage | undefined {
  try {
    return readScepMessage(withoutPadding(octets), nodeCrypto.digest);
  } catch (error) {
    if (error instanceof DerError || error instanceof PkiError) return undefined;
    throw error;
  }
}

/** Returns why bytes are not a message; undefined if there are none. */
export function problemOfMessage(octets: Uint8Array): string | undefined {
  if (octets.length === 0) return undefined;
  try {
    readScepMessage(withoutPadding(octets), nodeCrypto.digest);
  } catch (error) {
    if (isPkiError(error)) return `${error.message.replace(/\.$/, '')}.`;
    throw error;
  }
  return undefined;
}

const OLD_CLIENTS = 'enable allowOldClients in the SCEP profile';

export function assertSigned(message: ScepMessage, { allowOldClients }: ServedScepProfile): void {
  const verdict = verifySigner(message.signedData, message.signer, {
    certificate: message.certificate,
    verify: nodeCrypto.verify,
    digest: nodeCrypto.digest,
    allowsSha1: allowOldClients,
  });
  if (verdict.valid) return;
  if (verdict.refusal === 'weak-digest')
    reject('badAlg', `The message is signed with a weak digest; use SHA-256, or ${OLD_CLIENTS} to accept SHA-1.`);
  if (isOfAlgorithms(verdict.refusal)) reject('badAlg', 'The signature algorithm is not supported.');
  reject('badMessageCheck', 'The signature of the message does not match its signer.');
}

const isOfAlgorithms = (refusal: SignerRejection): boolean =>
  refusal === 'unsupported-algorithm' || refusal === 'algorithm-mismatch';

/** The same message for every error that involves the encrypted bytes. */
const UNREADABLE = 'The encrypted content cannot be read; encrypt it for the certificate that GetCACert returns.';

/** Encryption of the response. A client can decrypt with the algorithms that it used in its request. */
export interface ResponseEncryption {
  readonly cipher: CbcCipherName;
  readonly transport: KeyTransport;
}

/** Ciphers of requests; `old` is the name of a cipher that only old clients may use. */
const CIPHERS: Readonly<Record<string, { readonly cipher: CbcCipherName; readonly old?: string }>> = {
  [OID.aes128Cbc]: { cipher: 'aes-128-cbc' },
  [OID.aes192Cbc]: { cipher: 'aes-192-cbc' },
  [OID.aes256Cbc]: { cipher: 'aes-256-cbc' },
  [OID.desEde3Cbc]: { cipher: 'des-ede3-cbc', old: 'triple DES' },
  [OID.desCbc]: { cipher: 'des-cbc', old: 'single DES' },
};

export interface OpenedEnvelope extends ResponseEncryption {
  readonly content: Uint8Array;
}

export async function openContent(
  message: ScepMessage,
  { profile, ca }: { readonly profile: ServedScepProfile; readonly ca: SigningCertificate },
): Promise<OpenedEnvelope> {
  const envelope = envelopeOf(message);
  const { allowOldClients } = profile;
  const { cipher = 'aes-128-cbc', old } = CIPHERS[envelope.algorithm.oid] ?? {};
  if (old !== undefined && !allowOldClients)
    reject('badAlg', `The content is encrypted with ${old}; use AES, or ${OLD_CLIENTS}.`);
  let transport: KeyTransport = { kind: 'rsa-pkcs1' };
  const decrypt: SigningCertificate['decrypt'] = (used, encrypted) => {
    transport = used;
    return ca.decrypt(used, encrypted);
  };
  const opener = { certificate: ca.certificate, key: { decrypt }, allowsSingleDes: allowOldClients };
  try {
    return { content: await openEnvelope(envelope, opener, nodeCmsCrypto), cipher, transport };
  } catch (error) {
    throw rejectionOf(error);
  }
}

function envelopeOf({ envelope }: ScepMessage): EnvelopedData {
  if (envelope === undefined) return reject('badRequest', 'The message has no content.');
  try {
    return parseEnvelopedData(openContentInfo(withoutPadding(envelope), OID.pkcs7EnvelopedData));
  } catch (error) {
    throw rejectionOf(error);
  }
}

function rejectionOf(error: unknown): unknown {
  if (error instanceof PkiError && error.code === 'unsupported-algorithm')
    return new ScepRejection('badAlg', `The encryption algorithm is not supported: ${error.message}`);
  if (error instanceof PkiError && error.code === 'no-recipient')
    return new ScepRejection('badRequest', 'The content is not encrypted for the certificate that GetCACert returns.');
  if (error instanceof PkiError || error instanceof DerError) return new ScepRejection('badRequest', UNREADABLE);
  return error;
}

/**
 * Parses decrypted content. Content that cannot be parsed is rejected in the same way as content that cannot be
 * decrypted.
 */
export function readContent<T>(read: (content: Uint8Array) => T, content: Uint8Array): T {
  try {
    return read(withoutPadding(content));
  } catch (error) {
    throw rejectionOf(error);
  }
}
