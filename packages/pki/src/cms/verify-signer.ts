// Verification of SignedData signatures with a given certificate (RFC 5652 §5.6). The caller checks the certificate's
// trust, validity and key usage: SCEP clients sign with self-signed certificates.
import { attributeValue, type SignedData, type SignerInfo } from './signed-data.ts';
import { DerError, PkiError } from '../errors.ts';
import { equalBytes } from '../bytes.ts';
import { identifiesCertificate } from './certificate-identifier.ts';
import { keyFitsAlgorithm } from '../keys.ts';
import { OID } from '../oids.ts';
import { parseDer, readOctetString, readOid } from '../der/reader.ts';
import { resolveSignatureAlgorithm, signatureAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { TAG } from '../der/tags.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { Digest, VerifySignature } from '../crypto.ts';
import type { DigestName, SignatureAlgorithm, XofName } from '../algorithms.ts';

export interface SignerVerification {
  readonly certificate: Certificate;
  readonly verify: VerifySignature;
  readonly digest: Digest;
  /** The content that a detached signature covers. */
  readonly detachedContent?: Uint8Array;
  /** Allows SHA-1, the only digest that old clients support (RFC 8894 §3.5.2). */
  readonly allowsSha1?: boolean;
  /**
   * Allows a signature over the content itself. Without attributes, it cannot be distinguished from a signature over
   * the attributes of different content.
   */
  readonly allowsNoAttributes?: boolean;
}

export type SignerRejection =
  | 'other-certificate'
  | 'unsupported-algorithm'
  | 'weak-digest'
  | 'algorithm-mismatch'
  | 'content-missing'
  | 'attributes-missing'
  | 'content-type-differs'
  | 'content-differs'
  | 'signature-invalid';

export type SignerVerdict =
  | { readonly valid: true; readonly algorithm: SignatureAlgorithm; readonly content: Uint8Array }
  | { readonly valid: false; readonly refusal: SignerRejection };

const reject = (refusal: SignerRejection): SignerVerdict => ({ valid: false, refusal });

/**
 * Verifies that the certificate's key signed the content, and returns the signed bytes. Throws `DerError` for a
 * malformed certificate.
 */
export function verifySigner(signedData: SignedData, signer: SignerInfo, options: SignerVerification): SignerVerdict {
  const { certificate, verify, digest, detachedContent, allowsSha1 = false } = options;
  if (!identifiesCertificate(signer.identifier, certificate, digest)) return reject('other-certificate');
  const { digestName } = signer;
  if (digestName === undefined || !hasPlainParameters(signer.digestAlgorithm)) return reject('unsupported-algorithm');
  if (digestName === 'md5' || (digestName === 'sha1' && !allowsSha1)) return reject('weak-digest');
  const algorithm = signerAlgorithm(signer.signatureAlgorithm, digestName);
  if (algorithm === undefined) return reject('unsupported-algorithm');
  const hashesAlike = algorithm.digest === undefined || algorithm.digest === digestName;
  if (!hashesAlike || !keyFitsAlgorithm(certificate.publicKey, algorithm)) return reject('algorithm-mismatch');
  const content = signedData.content ?? detachedContent;
  if (content === undefined) return reject('content-missing');
  if (detachedContent !== undefined && !equalBytes(content, detachedContent)) return reject('content-differs');
  const problem = attributesProblem(signedData, signer, {
    allowsNone: options.allowsNoAttributes === true && !resemblesAttributes(content),
    messageDigest: () => digest(digestName, content),
  });
  if (problem !== undefined) return reject(problem);
  const data = signer.signedAttributes?.der ?? content;
  const isGood = verify(certificate.spki, { algorithm, data, signature: signer.signature });
  return isGood ? { valid: true, algorithm, content } : reject('signature-invalid');
}

/** Returns whether the parameters are absent or NULL (RFC 5754 §2). */
function hasPlainParameters({ parameters }: AlgorithmIdentifier): boolean {
  return parameters === undefined || (parameters.tag === TAG.null && parameters.content === parameters.end);
}

/**
 * Returns the signature algorithm. Most programs write the plain RSA OID and specify the digest in a separate field
 * (RFC 3370 §3.2).
 */
function signerAlgorithm(id: AlgorithmIdentifier, digestName: DigestName | XofName): SignatureAlgorithm | undefined {
  try {
    if (id.oid !== OID.rsaEncryption) return resolveSignatureAlgorithm(id);
    return hasPlainParameters(id) ? signatureAlgorithm(`${digestName}withRSA`) : undefined;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/** Checks the required attributes (RFC 5652 §5.3, §5.6, §11.1, §11.2). */
function attributesProblem(
  { contentType }: SignedData,
  { signedAttributes }: SignerInfo,
  { allowsNone, messageDigest }: { allowsNone: boolean; messageDigest: () => Uint8Array },
): SignerRejection | undefined {
  if (signedAttributes === undefined)
    return allowsNone && contentType === OID.pkcs7Data ? undefined : 'attributes-missing';
  try {
    const type = attributeValue(signedAttributes, OID.contentType);
    const stated = attributeValue(signedAttributes, OID.messageDigest);
    if (type === undefined || stated === undefined) return 'attributes-missing';
    if (readOid(parseDer(type)) !== contentType) return 'content-type-differs';
    return equalBytes(readOctetString(parseDer(stated)), messageDigest()) ? undefined : 'content-differs';
  } catch (error) {
    if (error instanceof DerError) return 'attributes-missing';
    throw error;
  }
}

/**
 * An attacker can present one message's signed attributes as another message's content, and the signature verifies. No
 * protocol uses a SET as content.
 */
const resemblesAttributes = (content: Uint8Array): boolean => content[0] === TAG.set;
