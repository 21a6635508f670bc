// Signatures of a provider's keys: the attributes to request for each key type, and the verification of the result.
import { SIGNATURE_ATTRIBUTES, type KeyData, type RequestAttributeDto } from '@signetry/contract';
import {
  defaultSignatureAlgorithm,
  isPkiError,
  parsePublicKey,
  signatureAlgorithm,
  type PublicKey,
  type SignatureAlgorithm,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { expect, Finding } from '../session.ts';

const EXPECTED = 'an encoded SubjectPublicKeyInfo';

/** Returns the encoded public key. */
export function publicKeyOf({ format, value }: KeyData): Uint8Array {
  expect(format === 'SubjectPublicKeyInfo' && 'value' in value, `The public key has the format ${format}.`, EXPECTED);
  const spki = new Uint8Array(Buffer.from(value.value, 'base64'));
  keyIn(spki);
  return spki;
}

function keyIn(spki: Uint8Array): PublicKey {
  try {
    return parsePublicKey(spki);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw new Finding(`Cannot read the public key: ${error.message}`, EXPECTED);
  }
}

export interface SignatureRules {
  readonly algorithm: SignatureAlgorithm;
  /** Signature attributes that the platform defines. */
  readonly attributes: readonly RequestAttributeDto[];
}

const choice = (attribute: { readonly uuid: string; readonly name: string }, data: string): RequestAttributeDto => ({
  ...attribute,
  contentType: 'string',
  content: [{ reference: data, data }],
});
const scheme = choice(SIGNATURE_ATTRIBUTES.scheme, 'PKCS1-v1_5');
const digest = choice(SIGNATURE_ATTRIBUTES.digest, 'SHA-256');

/** Returns the signature algorithm of a key and its attributes, or undefined if the key cannot sign. */
export function signatureRules(spki: Uint8Array): SignatureRules | undefined {
  const key = keyIn(spki);
  switch (key.family) {
    case 'RSA':
      return { algorithm: signatureAlgorithm('SHA256withRSA'), attributes: [scheme, digest] };
    case 'ECDSA':
      return { algorithm: signatureAlgorithm('SHA256withECDSA'), attributes: [digest] };
    default:
      return defaultRules(key);
  }
}

function defaultRules(key: PublicKey): SignatureRules | undefined {
  try {
    return { algorithm: defaultSignatureAlgorithm(key), attributes: [] };
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

export const isValidSignature = (signed: {
  spki: Uint8Array;
  algorithm: SignatureAlgorithm;
  data: Uint8Array;
  signature: Uint8Array;
}): boolean => nodeCrypto.verify(signed.spki, signed);
