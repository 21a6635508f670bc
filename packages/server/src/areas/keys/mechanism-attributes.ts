// Attributes of signatures and ciphers: what the platform asks callers for, by the algorithm of a key, and what it
// makes of their values. Providers of any origin know them by name.
import { dataAttribute, type Choice } from '@signetry/connector-sdk';
import {
  CIPHER_ATTRIBUTES,
  OFFERED_DIGESTS,
  RsaEncryptionScheme,
  RsaSignatureScheme,
  SIGNATURE_ATTRIBUTES,
  type DataAttribute,
  type KeyAlgorithm,
  type RequestAttributeDto,
} from '@signetry/contract';
import { isPkiError, signatureAlgorithm, type PublicKey, type SignatureAlgorithm } from '@signetry/pki';
import { rejected } from '../../kernel/errors.ts';

const choice = (
  attribute: { readonly uuid: string; readonly name: string },
  facts: { readonly label: string; readonly choices: readonly Choice<'string'>[]; readonly required: boolean },
) => dataAttribute({ ...attribute, contentType: 'string', ...facts });

const signatureScheme = choice(SIGNATURE_ATTRIBUTES.scheme, {
  label: 'Signature scheme',
  choices: RsaSignatureScheme.options,
  required: true,
});

const signatureDigest = choice(SIGNATURE_ATTRIBUTES.digest, {
  label: 'Digest',
  choices: OFFERED_DIGESTS,
  required: true,
});

/** Algorithms that hash by themselves have none. */
export function signatureDefinitions(algorithm: KeyAlgorithm): readonly DataAttribute[] {
  if (algorithm === 'RSA') return [signatureScheme, signatureDigest];
  return algorithm === 'ECDSA' ? [signatureDigest] : [];
}

const cipherAttributes: readonly DataAttribute[] = [
  choice(CIPHER_ATTRIBUTES.scheme, {
    label: 'Encryption scheme',
    choices: RsaEncryptionScheme.options,
    required: true,
  }),
  choice(CIPHER_ATTRIBUTES.oaepDigest, { label: 'OAEP digest', choices: OFFERED_DIGESTS, required: false }),
  dataAttribute({
    ...CIPHER_ATTRIBUTES.oaepMgf,
    label: 'OAEP digest for MGF1, too',
    description: 'MGF1 has SHA-1 otherwise.',
    contentType: 'boolean',
  }),
];

/** Secret keys encrypt in one way only. */
export const cipherDefinitions = (algorithm: KeyAlgorithm): readonly DataAttribute[] =>
  algorithm === 'RSA' ? cipherAttributes : [];

/** The value of a text attribute. */
function textOf(values: readonly RequestAttributeDto[], { name }: { readonly name: string }): string | undefined {
  const data = values.find((value) => value.name === name)?.content?.[0]?.data;
  return typeof data === 'string' ? data : undefined;
}

/** How a key signs with accepted values (422 where it cannot). */
export function signatureAlgorithmOf(key: PublicKey, accepted: readonly RequestAttributeDto[]): SignatureAlgorithm {
  const digest = textOf(accepted, SIGNATURE_ATTRIBUTES.digest)?.replace(/^SHA-(\d)/, 'SHA$1');
  const name = nameOf(key, { digest, scheme: textOf(accepted, SIGNATURE_ATTRIBUTES.scheme) });
  try {
    return signatureAlgorithm(name);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw rejected(`A signature with a key of type ${key.name} cannot be made this way: ${error.message}`);
  }
}

function nameOf(
  { family, name }: PublicKey,
  { digest, scheme }: { readonly digest: string | undefined; readonly scheme: string | undefined },
): string {
  if (family === 'ECDSA') return `${digest}withECDSA`;
  if (family !== 'RSA') return name;
  return scheme === 'PSS' ? `${digest}withRSAandMGF1` : `${digest}withRSA`;
}

/** Values by which a key signs with an algorithm; the inverse of `signatureAlgorithmOf`. */
export function signatureValuesOf({ kind, digest }: SignatureAlgorithm): RequestAttributeDto[] {
  if (digest === undefined) return [];
  const ofDigest = textValue(SIGNATURE_ATTRIBUTES.digest, digest.toUpperCase().replace(/^SHA(?!3-)/, 'SHA-'));
  if (kind === 'ecdsa') return [ofDigest];
  return [textValue(SIGNATURE_ATTRIBUTES.scheme, kind === 'rsa-pss' ? 'PSS' : 'PKCS1-v1_5'), ofDigest];
}

const textValue = (attribute: { readonly uuid: string; readonly name: string }, data: string): RequestAttributeDto => ({
  ...attribute,
  contentType: 'string',
  content: [{ data }],
});

/** How an RSA key decrypts what protocols encrypt to it (RFC 8017 §7.2). */
export const pkcs1CipherValues: RequestAttributeDto[] = [textValue(CIPHER_ATTRIBUTES.scheme, 'PKCS1-v1_5')];

/** What a key of this kind signs certification requests and certificates with, where nobody says otherwise. */
export function defaultSignatureValues(key: Pick<PublicKey, 'family' | 'bits'>): RequestAttributeDto[] {
  const digest = textValue(SIGNATURE_ATTRIBUTES.digest, digestFor(key));
  if (key.family === 'RSA') return [textValue(SIGNATURE_ATTRIBUTES.scheme, 'PKCS1-v1_5'), digest];
  return key.family === 'ECDSA' ? [digest] : [];
}

/** As strong as the curve (RFC 5480 §4); SHA-256 for RSA. */
function digestFor({ family, bits }: Pick<PublicKey, 'family' | 'bits'>): string {
  if (family !== 'ECDSA' || bits <= 256) return 'SHA-256';
  return bits <= 384 ? 'SHA-384' : 'SHA-512';
}
