// Opens requests: verifies the signature, then opens the envelope. Content that cannot be decrypted and content that
// cannot be parsed are rejected with the same error after the same amount of work: any difference would be a decryption
// oracle (RFC 3218).
import {
  DerError,
  OID,
  openContentInfo,
  openEnvelope,
  parseEnvelopedData,
  PkiError,
  readScepMessage,
  verifySigner,
  type EnvelopedData,
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
    return readScepMessage(octets, nodeCrypto.digest);
  } catch (error) {
    if (error instanceof DerError || error instanceof PkiError) return undefined;
    throw error;
  }
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

export type ResponseCipher = 'aes-128-cbc' | 'des-ede3-cbc' | 'des-cbc';

const OLD_CIPHERS: Readonly<Record<string, { readonly cipher: ResponseCipher; readonly words: string }>> = {
  [OID.desEde3Cbc]: { cipher: 'des-ede3-cbc', words: 'triple DES' },
  [OID.desCbc]: { cipher: 'des-cbc', words: 'single DES' },
};

export interface OpenedEnvelope {
  readonly content: Uint8Array;
  /** Cipher of the response: the client's own cipher if that is an old one. */
  readonly cipher: ResponseCipher;
}

export async function openContent(
  message: ScepMessage,
  { profile, ca }: { readonly profile: ServedScepProfile; readonly ca: SigningCertificate },
): Promise<OpenedEnvelope> {
  const envelope = envelopeOf(message);
  const { allowOldClients } = profile;
  const old = OLD_CIPHERS[envelope.algorithm.oid];
  if (old && !allowOldClients)
    reject('badAlg', `The content is encrypted with ${old.words}; use AES, or ${OLD_CLIENTS}.`);
  const opener = { certificate: ca.certificate, key: { decrypt: ca.decrypt }, allowsSingleDes: allowOldClients };
  try {
    return { content: await openEnvelope(envelope, opener, nodeCmsCrypto), cipher: old?.cipher ?? 'aes-128-cbc' };
  } catch (error) {
    throw rejectionOf(error);
  }
}

function envelopeOf({ envelope }: ScepMessage): EnvelopedData {
  if (envelope === undefined) return reject('badRequest', 'The message has no content.');
  try {
    return parseEnvelopedData(openContentInfo(envelope, OID.pkcs7EnvelopedData));
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
    return read(content);
  } catch (error) {
    throw rejectionOf(error);
  }
}
