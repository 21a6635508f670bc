// Signature algorithms: maps AlgorithmIdentifiers to and from the names that platforms display (`SHA256withRSA`,
// `Ed25519`, `ML-DSA-65`). Contains one table and its two lookups. Lint and profiles decide which algorithms are
// acceptable.
import {
  DerCursor,
  elementBytes,
  explicitContent,
  openElement,
  parseDer,
  readIntegerBetween,
  readOid,
} from './der/reader.ts';
import { encodeDer, explicitPart, integerPart, nullPart, oidPart, sequence, type DerPart } from './der/writer.ts';
import { PkiError } from './errors.ts';
import { COMPOSITE_ALGORITHMS } from './composite.ts';
import { PRE_HASH_ALGORITHMS } from './pre-hash.ts';
import { NAMED_SIGNATURES, postQuantumDraftName } from './named-algorithms.ts';
import { OID } from './oids.ts';
import { TAG } from './der/tags.ts';
import type { DerElement } from './der/reader.ts';

export type DigestName =
  'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha3-256' | 'sha3-384' | 'sha3-512';

/** Hash functions with variable output, here 32 and 64 bytes: only for message digests in CMS (RFC 8702 §3.1). */
export type XofName = 'shake128' | 'shake256';

/** An AlgorithmIdentifier as decoded. `parameters` is undefined if the field is absent. */
export interface AlgorithmIdentifier {
  readonly oid: string;
  readonly parameters?: DerElement;
  readonly der: Uint8Array;
}

/** Reads an AlgorithmIdentifier (RFC 5280 §4.1.1.2). Throws `DerError`. */
export function readAlgorithm(element: DerElement): AlgorithmIdentifier {
  const cursor = openElement(element, TAG.sequence);
  const oid = readOid(cursor.next());
  const der = elementBytes(element);
  if (cursor.atEnd) return { oid, der };
  const parameters = cursor.next();
  cursor.finish();
  return { oid, parameters, der };
}

export type SignatureKind =
  'rsa-pkcs1' | 'rsa-pss' | 'ecdsa' | 'dsa' | 'eddsa' | 'ml-dsa' | 'slh-dsa' | 'composite' | 'pre-hash';

/** A signature algorithm with all data required for signing and verification. */
export interface SignatureAlgorithm {
  /** Display name; PSS algorithms are displayed as `SHA256withRSAandMGF1`. */
  readonly name: string;
  readonly oid: string;
  readonly kind: SignatureKind;
  /** Undefined for algorithms with a built-in hash. */
  readonly digest?: DigestName;
  /** Salt length in bytes, for RSA-PSS only. MGF1 also uses `digest`. */
  readonly saltLength?: number;
  /** The encoded AlgorithmIdentifier. */
  readonly der: Uint8Array;
}

const digestOids: ReadonlyMap<DigestName, { oid: string; length: number }> = new Map([
  ['md5', { oid: OID.md5, length: 16 }],
  ['sha1', { oid: OID.sha1, length: 20 }],
  ['sha224', { oid: OID.sha224, length: 28 }],
  ['sha256', { oid: OID.sha256, length: 32 }],
  ['sha384', { oid: OID.sha384, length: 48 }],
  ['sha512', { oid: OID.sha512, length: 64 }],
  ['sha3-256', { oid: OID.sha3_256, length: 32 }],
  ['sha3-384', { oid: OID.sha3_384, length: 48 }],
  ['sha3-512', { oid: OID.sha3_512, length: 64 }],
]);

/** Returns the digest for an OID, or `undefined` if it is unknown. */
export function digestFromOid(oid: string): DigestName | undefined {
  for (const [name, digest] of digestOids) if (digest.oid === oid) return name;
  return undefined;
}

/** Returns the digest for an OID in CMS messages, where SHAKE is also allowed (RFC 8702 §3.1). */
export function messageDigestFromOid(oid: string): DigestName | XofName | undefined {
  if (oid === '2.16.840.1.101.3.4.2.11') return 'shake128';
  return oid === '2.16.840.1.101.3.4.2.12' ? 'shake256' : digestFromOid(oid);
}

/**
 * Returns the AlgorithmIdentifier for a digest. Parameters are omitted for SHA-2 (RFC 5754 §2) unless `withNull`
 * requests the older form.
 */
export function digestAlgorithmPart(name: DigestName, withNull = false): DerPart {
  return sequence([oidPart(digestOidOf(name)), withNull ? nullPart() : undefined]);
}

function digestOidOf(name: DigestName): string {
  const digest = digestOids.get(name);
  if (digest === undefined) throw new PkiError('unsupported-algorithm', `Digest "${name}" is not supported.`);
  return digest.oid;
}

function plainAlgorithm(entry: {
  name: string;
  oid: string;
  kind: SignatureKind;
  digest?: DigestName;
}): SignatureAlgorithm {
  // RFC 4055 §5 requires NULL parameters for RSA; RFC 5758 §3.2, RFC 8410 §3 and RFC 9881 §2 require their absence.
  const der = encodeDer(sequence([oidPart(entry.oid), entry.kind === 'rsa-pkcs1' ? nullPart() : undefined]));
  return { ...entry, der };
}

function pss(digest: DigestName): SignatureAlgorithm {
  const { oid: digestOid, length } = digestOids.get(digest) ?? { oid: '', length: 0 };
  // RFC 4055 §3.1: implementations encode the inner hash identifiers with NULL parameters; readers must accept both
  // forms.
  const hash = sequence([oidPart(digestOid), nullPart()]);
  const parameters = sequence([
    explicitPart(0, hash),
    explicitPart(1, sequence([oidPart(OID.mgf1), hash])),
    explicitPart(2, integerPart(length)),
  ]);
  return {
    name: `${digest.toUpperCase()}withRSAandMGF1`,
    oid: OID.rsaPss,
    kind: 'rsa-pss',
    digest,
    saltLength: length,
    der: encodeDer(sequence([oidPart(OID.rsaPss), parameters])),
  };
}

/** SLH-DSA parameter sets in the order of their OIDs, 2.16.840.1.101.3.4.3.20 to .31 (RFC 9909). */
const SLH_DSA_SETS = ['SHA2', 'SHAKE'].flatMap((hash) =>
  ['128S', '128F', '192S', '192F', '256S', '256F'].map((set) => `SLH-DSA-${hash}-${set}`),
);
/** SLH-DSA parameter sets by OID. */
export const SLH_DSA_OIDS: ReadonlyMap<string, string> = new Map(
  SLH_DSA_SETS.map((name, index) => [`2.16.840.1.101.3.4.3.${20 + index}`, name]),
);

const SIGNATURE_ALGORITHMS: readonly SignatureAlgorithm[] = [
  plainAlgorithm({ name: 'SHA256withRSA', oid: OID.sha256WithRsa, kind: 'rsa-pkcs1', digest: 'sha256' }),
  plainAlgorithm({ name: 'SHA384withRSA', oid: OID.sha384WithRsa, kind: 'rsa-pkcs1', digest: 'sha384' }),
  plainAlgorithm({ name: 'SHA512withRSA', oid: OID.sha512WithRsa, kind: 'rsa-pkcs1', digest: 'sha512' }),
  plainAlgorithm({ name: 'SHA224withRSA', oid: OID.sha224WithRsa, kind: 'rsa-pkcs1', digest: 'sha224' }),
  plainAlgorithm({ name: 'SHA3-256withRSA', oid: OID.sha3_256WithRsa, kind: 'rsa-pkcs1', digest: 'sha3-256' }),
  plainAlgorithm({ name: 'SHA3-384withRSA', oid: OID.sha3_384WithRsa, kind: 'rsa-pkcs1', digest: 'sha3-384' }),
  plainAlgorithm({ name: 'SHA3-512withRSA', oid: OID.sha3_512WithRsa, kind: 'rsa-pkcs1', digest: 'sha3-512' }),
  plainAlgorithm({ name: 'SHA1withRSA', oid: OID.sha1WithRsa, kind: 'rsa-pkcs1', digest: 'sha1' }),
  plainAlgorithm({ name: 'MD5withRSA', oid: OID.md5WithRsa, kind: 'rsa-pkcs1', digest: 'md5' }),
  plainAlgorithm({ name: 'SHA256withECDSA', oid: OID.sha256WithEcdsa, kind: 'ecdsa', digest: 'sha256' }),
  plainAlgorithm({ name: 'SHA384withECDSA', oid: OID.sha384WithEcdsa, kind: 'ecdsa', digest: 'sha384' }),
  plainAlgorithm({ name: 'SHA512withECDSA', oid: OID.sha512WithEcdsa, kind: 'ecdsa', digest: 'sha512' }),
  plainAlgorithm({ name: 'SHA224withECDSA', oid: OID.sha224WithEcdsa, kind: 'ecdsa', digest: 'sha224' }),
  plainAlgorithm({ name: 'SHA1withECDSA', oid: OID.sha1WithEcdsa, kind: 'ecdsa', digest: 'sha1' }),
  plainAlgorithm({ name: 'SHA3-256withECDSA', oid: OID.sha3_256WithEcdsa, kind: 'ecdsa', digest: 'sha3-256' }),
  plainAlgorithm({ name: 'SHA3-384withECDSA', oid: OID.sha3_384WithEcdsa, kind: 'ecdsa', digest: 'sha3-384' }),
  plainAlgorithm({ name: 'SHA3-512withECDSA', oid: OID.sha3_512WithEcdsa, kind: 'ecdsa', digest: 'sha3-512' }),
  plainAlgorithm({ name: 'SHA1withDSA', oid: OID.sha1WithDsa, kind: 'dsa', digest: 'sha1' }),
  plainAlgorithm({ name: 'SHA256withDSA', oid: OID.sha256WithDsa, kind: 'dsa', digest: 'sha256' }),
  plainAlgorithm({ name: 'Ed25519', oid: OID.ed25519, kind: 'eddsa' }),
  plainAlgorithm({ name: 'Ed448', oid: OID.ed448, kind: 'eddsa' }),
  plainAlgorithm({ name: 'ML-DSA-44', oid: OID.mlDsa44, kind: 'ml-dsa' }),
  plainAlgorithm({ name: 'ML-DSA-65', oid: OID.mlDsa65, kind: 'ml-dsa' }),
  plainAlgorithm({ name: 'ML-DSA-87', oid: OID.mlDsa87, kind: 'ml-dsa' }),
  ...[...SLH_DSA_OIDS].map(([oid, name]) => plainAlgorithm({ name, oid, kind: 'slh-dsa' })),
];
/** Algorithms that are verified but never used to sign. */
const VERIFIED_ONLY: readonly SignatureAlgorithm[] = [
  ...[...COMPOSITE_ALGORITHMS.values()].map(({ name, oid }) => plainAlgorithm({ name, oid, kind: 'composite' })),
  ...[...PRE_HASH_ALGORITHMS.values()].map(({ name, oid }) => plainAlgorithm({ name, oid, kind: 'pre-hash' })),
];
const PSS_ALGORITHMS = (['sha256', 'sha384', 'sha512'] as const).map(pss);

const byName = new Map([...SIGNATURE_ALGORITHMS, ...PSS_ALGORITHMS].map((entry) => [entry.name.toUpperCase(), entry]));
const byOid = new Map([...SIGNATURE_ALGORITHMS, ...VERIFIED_ONLY].map((entry) => [entry.oid, entry]));
/** The OIW's sha1WithRSASignature: an older OID for the same algorithm, found in old certificates. */
byOid.set(
  '1.3.14.3.2.29',
  plainAlgorithm({ name: 'SHA1withRSA', oid: '1.3.14.3.2.29', kind: 'rsa-pkcs1', digest: 'sha1' }),
);

/** Returns whether the OID is an RSA signature algorithm with PKCS #1 v1.5 padding. */
export const isRsaPkcs1 = (oid: string): boolean => byOid.get(oid)?.kind === 'rsa-pkcs1';

/** Names that `signatureAlgorithm` accepts. */
export const SIGNATURE_ALGORITHM_NAMES: readonly string[] = [...SIGNATURE_ALGORITHMS, ...PSS_ALGORITHMS].map(
  (entry) => entry.name,
);

/** Returns the algorithm with this name, ignoring case. Throws `PkiError` `unsupported-algorithm`. */
export function signatureAlgorithm(name: string): SignatureAlgorithm {
  const known = byName.get(name.toUpperCase());
  if (known !== undefined) return known;
  throw new PkiError('unsupported-algorithm', `Signature algorithm "${name.slice(0, 64)}" is not supported.`);
}

/** Returns the display name of an algorithm, or its OID if it is unknown. Never throws. */
export function signatureAlgorithmName(id: AlgorithmIdentifier): string {
  const known = byOid.get(id.oid);
  if (known !== undefined) return known.name;
  if (id.oid !== OID.rsaPss) return NAMED_SIGNATURES.get(id.oid) ?? postQuantumDraftName(id.oid) ?? id.oid;
  try {
    return resolveSignatureAlgorithm(id).name;
  } catch {
    return 'RSASSA-PSS'; // Verification reports unusable parameters; displaying the name must not fail.
  }
}

/**
 * Returns the algorithm for verification. Throws `PkiError` `unsupported-algorithm` for an unknown OID, or for
 * parameters that the algorithm's RFC forbids. For RSA, absent and NULL parameters are equivalent (RFC 4055 §5).
 */
export function resolveSignatureAlgorithm(id: AlgorithmIdentifier): SignatureAlgorithm {
  const known = byOid.get(id.oid);
  if (known === undefined) {
    if (id.oid === OID.rsaPss) return readPss(id);
    throw new PkiError('unsupported-algorithm', `Signature algorithm ${describeOid(id)} is not supported.`);
  }
  const { parameters } = id;
  if (parameters === undefined) return known;
  const isNull = parameters.tag === TAG.null && parameters.content === parameters.end;
  if (isNull && known.kind === 'rsa-pkcs1') return known;
  throw new PkiError('unsupported-algorithm', `Algorithm ${known.name} must not have these parameters.`);
}

/** Returns the name of an algorithm with its OID, or only the OID if it has no name. */
function describeOid(id: AlgorithmIdentifier): string {
  const name = signatureAlgorithmName(id);
  return name === id.oid ? id.oid : `${name} (${id.oid})`;
}

/**
 * Returns why signatures with this algorithm cannot be verified, or `undefined` if they can. Distinguishes a signature
 * that no one has checked from one that is wrong.
 */
export function signatureAlgorithmProblem(id: AlgorithmIdentifier): string | undefined {
  try {
    resolveSignatureAlgorithm(id);
    return undefined;
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}

/**
 * Reads RSASSA-PSS-params (RFC 4055 §3.1). An MGF1 hash that differs from the message hash is rejected because this is
 * not used in practice.
 */
function readPss(id: AlgorithmIdentifier): SignatureAlgorithm {
  let digest: DigestName | undefined = 'sha1';
  let maskDigest: DigestName | undefined = 'sha1';
  let saltLength = 20;
  if (id.parameters !== undefined) {
    const cursor = openElement(id.parameters, TAG.sequence);
    const hash = cursor.optional(0xa0);
    if (hash !== undefined) digest = digestFromOid(readAlgorithm(explicitContent(hash)).oid);
    const mask = cursor.optional(0xa1);
    if (mask !== undefined) maskDigest = readMaskDigest(readAlgorithm(explicitContent(mask)));
    const salt = cursor.optional(0xa2);
    if (salt !== undefined) saltLength = readIntegerBetween(explicitContent(salt), { min: 0, max: 1024 });
    const trailer = cursor.optional(0xa3);
    if (trailer !== undefined) readIntegerBetween(explicitContent(trailer), { min: 1, max: 1 });
    cursor.finish();
  }
  if (digest === undefined || digest !== maskDigest) {
    throw new PkiError('unsupported-algorithm', 'The RSASSA-PSS parameters specify unsupported or different digests.');
  }
  return {
    name: `${digest.toUpperCase()}withRSAandMGF1`,
    oid: id.oid,
    kind: 'rsa-pss',
    digest,
    saltLength,
    der: id.der,
  };
}

/**
 * Returns the digest of an MGF1 mask generation function, or `undefined` for any other function (RFC 4055 §2.2). Throws
 * `DerError`.
 */
export function readMaskDigest(mask: AlgorithmIdentifier): DigestName | undefined {
  if (mask.oid !== OID.mgf1 || mask.parameters === undefined) return undefined;
  return digestFromOid(readAlgorithm(mask.parameters).oid);
}

/** Reads an AlgorithmIdentifier that spans the whole buffer. */
export function parseAlgorithm(der: Uint8Array): AlgorithmIdentifier {
  return readAlgorithm(parseDer(der));
}

/** Reads the cursor's next element as an AlgorithmIdentifier. */
export function nextAlgorithm(cursor: DerCursor): AlgorithmIdentifier {
  return readAlgorithm(cursor.next());
}
