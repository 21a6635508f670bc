// Encoding of SignedData (RFC 5652 §5) in two steps, as for certificates: first the bytes to sign, then the message
// with its signatures, so the key can be stored anywhere.
import {
  encodeDer,
  explicitPart,
  implicitConstructed,
  integerPart,
  nullPart,
  octetStringPart,
  oidPart,
  sequence,
  setOf,
  timePart,
  type DerPart,
} from '../der/writer.ts';
import { attributePart, type Attribute } from '../x509/attributes.ts';
import { certificateIdentifierPart, type CertificateIdentifier } from './certificate-identifier.ts';
import { digestAlgorithmPart, type DigestName, type SignatureAlgorithm } from '../algorithms.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import type { Digest } from '../crypto.ts';

/**
 * Returns the content digest for a signature algorithm: the algorithm's own, or SHA-512 for algorithms with a built-in
 * hash (RFC 8419 §3.1, RFC 9882 §3.3).
 */
export function cmsDigestOf(algorithm: SignatureAlgorithm): DigestName {
  return algorithm.digest ?? 'sha512';
}

export interface SignedAttributesInput {
  readonly content: Uint8Array;
  /** Default: `OID.pkcs7Data`. */
  readonly contentType?: string;
  /** Algorithm of the signature that will cover the attributes. */
  readonly algorithm: SignatureAlgorithm;
  readonly digest: Digest;
  readonly signingTimeMs?: number;
  /** Additional attributes with encoded values, such as SCEP attributes (RFC 8894 §3.2). */
  readonly attributes?: readonly Attribute[];
}

/**
 * Returns SignedAttributes in DER, to be signed with `algorithm`: the required contentType and messageDigest (RFC 5652
 * §5.3), and the caller's attributes. Throws `PkiError` `bad-argument` if an attribute occurs twice.
 */
export function buildSignedAttributes(input: SignedAttributesInput): Uint8Array {
  const { content, contentType = OID.pkcs7Data, algorithm, digest, signingTimeMs, attributes = [] } = input;
  const types = [OID.contentType, OID.messageDigest, OID.signingTime, ...attributes.map(({ type }) => type)];
  if (new Set(types).size < types.length)
    throw new PkiError(
      'bad-argument',
      'Signed attributes must be unique and must not include contentType, messageDigest or signingTime, which are set automatically.',
    );
  const messageDigest = digest(cmsDigestOf(algorithm), content);
  return encodeDer(
    setOf([
      attributePart(OID.contentType, [oidPart(contentType)]),
      attributePart(OID.messageDigest, [octetStringPart(messageDigest)]),
      signingTimeMs === undefined ? undefined : attributePart(OID.signingTime, [timePart(signingTimeMs)]),
      ...attributes.map(({ type, values }) => attributePart(type, values)),
    ]),
  );
}

export interface SignerInput {
  readonly identifier: CertificateIdentifier;
  readonly algorithm: SignatureAlgorithm;
  /** Covers `signedAttributes`, or the content if there are none. */
  readonly signature: Uint8Array;
  /** As returned by `buildSignedAttributes`. */
  readonly signedAttributes?: Uint8Array;
  readonly unsignedAttributes?: readonly Attribute[];
}

export interface SignedDataInput {
  /** Default: `OID.pkcs7Data`. */
  readonly contentType?: string;
  /** Undefined for detached signatures and certs-only messages. */
  readonly content?: Uint8Array;
  /** DER certificates. Their order is preserved because clients that read chains rely on it. */
  readonly certificates?: readonly Uint8Array[];
  /** In DER. */
  readonly crls?: readonly Uint8Array[];
  readonly signers: readonly SignerInput[];
}

/** Returns a SignedData in DER; wrap it with `buildContentInfo` to get a message. Throws `PkiError` `bad-argument`. */
export function assembleSignedData(input: SignedDataInput): Uint8Array {
  const { contentType = OID.pkcs7Data, content, certificates = [], crls = [], signers } = input;
  // RFC 5652 §5.3: content types other than id-data require signed attributes, which contain the type.
  if (contentType !== OID.pkcs7Data && signers.some(({ signedAttributes }) => signedAttributes === undefined))
    throw new PkiError('bad-argument', `Content of type ${contentType} must be signed with attributes.`);
  const digests = [...new Set(signers.map(({ algorithm }) => cmsDigestOf(algorithm)))];
  // RFC 5652 §5.1.
  const isVersion3 =
    contentType !== OID.pkcs7Data || signers.some(({ identifier }) => identifier.kind === 'subjectKeyIdentifier');
  return encodeDer(
    sequence([
      integerPart(isVersion3 ? 3 : 1),
      setOf(digests.map((name) => digestAlgorithmPart(name))),
      sequence([oidPart(contentType), content === undefined ? undefined : explicitPart(0, octetStringPart(content))]),
      certificates.length === 0 ? undefined : implicitConstructed(0, certificates),
      crls.length === 0 ? undefined : implicitConstructed(1, crls),
      setOf(signers.map(signerPart)),
    ]),
  );
}

function signerPart(signer: SignerInput): DerPart {
  const { identifier, algorithm, signature, signedAttributes, unsignedAttributes = [] } = signer;
  const unsigned = unsignedAttributes.map(({ type, values }) => attributePart(type, values));
  return sequence([
    integerPart(identifier.kind === 'subjectKeyIdentifier' ? 3 : 1),
    certificateIdentifierPart(identifier),
    digestAlgorithmPart(cmsDigestOf(algorithm)),
    signedAttributes && withTag(signedAttributes, 0xa0),
    signatureAlgorithmPart(algorithm),
    octetStringPart(signature),
    unsigned.length === 0 ? undefined : setOf(unsigned, 0xa1),
  ]);
}

/** Returns the same element with the IMPLICIT tag. */
function withTag(signedAttributes: Uint8Array, tag: number): Uint8Array {
  if (signedAttributes[0] !== TAG.set) throw new PkiError('bad-argument', 'Signed attributes must be a SET in DER.');
  const tagged = Uint8Array.from(signedAttributes);
  tagged[0] = tag;
  return tagged;
}

/** RFC 3370 §3.2: all implementations support rsaEncryption, and the digest has a separate field. */
function signatureAlgorithmPart(algorithm: SignatureAlgorithm): DerPart {
  return algorithm.kind === 'rsa-pkcs1' ? sequence([oidPart(OID.rsaEncryption), nullPart()]) : algorithm.der;
}
