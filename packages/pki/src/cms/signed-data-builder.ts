// Writing SignedData (RFC 5652 §5) in two steps, as certificates are written: octets to be signed, then the message
// around the signatures, so that the key may be anywhere.
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
 * The digest of content that goes with a signature algorithm: its own, and SHA-512 for those that hash by themselves
 * (RFC 8419 §3.1, RFC 9882 §3.3).
 */
export function cmsDigestOf(algorithm: SignatureAlgorithm): DigestName {
  return algorithm.digest ?? 'sha512';
}

export interface SignedAttributesInput {
  readonly content: Uint8Array;
  /** `OID.pkcs7Data` by default. */
  readonly contentType?: string;
  /** Of the signature that will cover the attributes. */
  readonly algorithm: SignatureAlgorithm;
  readonly digest: Digest;
  readonly signingTimeMs?: number;
  /** Further ones, values encoded, such as those of SCEP (RFC 8894 §3.2). */
  readonly attributes?: readonly Attribute[];
}

/**
 * SignedAttributes in DER, to be signed with `algorithm`: contentType and messageDigest, which are required (RFC 5652
 * §5.3), and what the caller adds. Throws `PkiError` `bad-argument` when an attribute comes twice.
 */
export function buildSignedAttributes(input: SignedAttributesInput): Uint8Array {
  const { content, contentType = OID.pkcs7Data, algorithm, digest, signingTimeMs, attributes = [] } = input;
  const types = [OID.contentType, OID.messageDigest, OID.signingTime, ...attributes.map(({ type }) => type)];
  if (new Set(types).size < types.length)
    throw new PkiError('bad-argument', 'A signed attribute is given twice, or is one that is made here.');
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
  /** Over `signedAttributes`; over the content when there are none. */
  readonly signature: Uint8Array;
  /** As `buildSignedAttributes` gave them. */
  readonly signedAttributes?: Uint8Array;
  readonly unsignedAttributes?: readonly Attribute[];
}

export interface SignedDataInput {
  /** `OID.pkcs7Data` by default. */
  readonly contentType?: string;
  /** Absent for a detached signature, and for certificates only. */
  readonly content?: Uint8Array;
  /** In DER. They stay in the given order, which readers of chains rely on. */
  readonly certificates?: readonly Uint8Array[];
  /** In DER. */
  readonly crls?: readonly Uint8Array[];
  readonly signers: readonly SignerInput[];
}

/** A SignedData in DER; `buildContentInfo` makes a message of it. Throws `PkiError` `bad-argument`. */
export function assembleSignedData(input: SignedDataInput): Uint8Array {
  const { contentType = OID.pkcs7Data, content, certificates = [], crls = [], signers } = input;
  // RFC 5652 §5.3: other content than plain octets is signed through attributes, which tell its type.
  if (contentType !== OID.pkcs7Data && signers.some(({ signedAttributes }) => signedAttributes === undefined))
    throw new PkiError('bad-argument', `Content of the type ${contentType} is signed with attributes only.`);
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

/** The same element with the IMPLICIT tag. */
function withTag(signedAttributes: Uint8Array, tag: number): Uint8Array {
  if (signedAttributes[0] !== TAG.set) throw new PkiError('bad-argument', 'Signed attributes are a SET in DER.');
  const tagged = Uint8Array.from(signedAttributes);
  tagged[0] = tag;
  return tagged;
}

/** RFC 3370 §3.2: rsaEncryption, which every reader knows; the digest is in a field of its own. */
function signatureAlgorithmPart(algorithm: SignatureAlgorithm): DerPart {
  return algorithm.kind === 'rsa-pkcs1' ? sequence([oidPart(OID.rsaEncryption), nullPart()]) : algorithm.der;
}
