// Opens requests: signature first, then the envelope. Whatever cannot be decrypted, or makes no sense once it is, gets
// one refusal after the same work: a difference would let an attacker decrypt by asking (RFC 3218).
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
  type SignerRefusal,
} from '@signetry/pki';
import { nodeCmsCrypto, nodeCrypto } from '@signetry/pki/node';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';
import { refuse, ScepRefusal } from './refusal.ts';

/** `undefined` for octets that are no message, so that nothing can be answered to it. */
export function readMessage(octets: Uint8Array): ScepMessage | undefined {
  try {
    return readScepMessage(octets, nodeCrypto.digest);
  } catch (error) {
    if (error instanceof DerError || error instanceof PkiError) return undefined;
    throw error;
  }
}

const OLD_CLIENTS = 'the setting allowOldClients of the SCEP profile allows it';

export function assertSigned(message: ScepMessage, { allowOldClients }: ServedScepProfile): void {
  const verdict = verifySigner(message.signedData, message.signer, {
    certificate: message.certificate,
    verify: nodeCrypto.verify,
    digest: nodeCrypto.digest,
    allowsSha1: allowOldClients,
  });
  if (verdict.valid) return;
  if (verdict.refusal === 'weak-digest')
    refuse('badAlg', `The message is signed with an old digest; use SHA-256, or with SHA-1, ${OLD_CLIENTS}.`);
  if (isOfAlgorithms(verdict.refusal)) refuse('badAlg', 'The algorithm of the signature is not supported.');
  refuse('badMessageCheck', 'The signature of the message is not that of its signer.');
}

const isOfAlgorithms = (refusal: SignerRefusal): boolean =>
  refusal === 'unsupported-algorithm' || refusal === 'algorithm-mismatch';

/** The same for everything that has to do with the encrypted octets. */
const UNREADABLE = 'The encrypted content cannot be read; encrypt it to the certificate that GetCACert answers with.';

export type ResponseCipher = 'aes-128-cbc' | 'des-ede3-cbc' | 'des-cbc';

const OLD_CIPHERS: Readonly<Record<string, { readonly cipher: ResponseCipher; readonly words: string }>> = {
  [OID.desEde3Cbc]: { cipher: 'des-ede3-cbc', words: 'triple DES' },
  [OID.desCbc]: { cipher: 'des-cbc', words: 'single DES' },
};

export interface OpenedEnvelope {
  readonly content: Uint8Array;
  /** What the response is encrypted with: what the client uses itself if it is an old one. */
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
    refuse('badAlg', `The content is encrypted with ${old.words}; use AES, or ${OLD_CLIENTS}.`);
  const opener = { certificate: ca.certificate, key: { decrypt: ca.decrypt }, allowsSingleDes: allowOldClients };
  try {
    return { content: await openEnvelope(envelope, opener, nodeCmsCrypto), cipher: old?.cipher ?? 'aes-128-cbc' };
  } catch (error) {
    throw refusalOf(error);
  }
}

function envelopeOf({ envelope }: ScepMessage): EnvelopedData {
  if (envelope === undefined) return refuse('badRequest', 'The message has no content.');
  try {
    return parseEnvelopedData(openContentInfo(envelope, OID.pkcs7EnvelopedData));
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof PkiError && error.code === 'unsupported-algorithm')
    return new ScepRefusal('badAlg', `The encryption is not supported: ${error.message}`);
  if (error instanceof PkiError && error.code === 'no-recipient')
    return new ScepRefusal(
      'badRequest',
      'The content is encrypted to another certificate than GetCACert answers with.',
    );
  if (error instanceof PkiError || error instanceof DerError) return new ScepRefusal('badRequest', UNREADABLE);
  return error;
}

/** What was decrypted, read; what makes no sense is refused as if it had not been decrypted. */
export function readContent<T>(read: (content: Uint8Array) => T, content: Uint8Array): T {
  try {
    return read(content);
  } catch (error) {
    throw refusalOf(error);
  }
}
