// Composite ML-DSA (draft-ietf-lamps-pq-composite-sigs): an ML-DSA key and a traditional key in one
// SubjectPublicKeyInfo, and a signature that is valid only if both parts are. Contains the table of combinations and
// the division of keys and signatures into parts. For verification, see `@signetry/pki/node`.
import { bitStringPart, encodeDer, nullPart, oidPart, sequence } from './der/writer.ts';
import { concatBytes } from './bytes.ts';
import { encodeUtf8 } from './der/text.ts';
import { OID } from './oids.ts';

/** Hash function of the message; SHAKE256 with 64 bytes of output. */
export type CompositeDigest = 'sha256' | 'sha512' | 'shake256';

export interface CompositeAlgorithm {
  readonly oid: string;
  /** `MLDSA65-ECDSA-P256-SHA512`. */
  readonly name: string;
  /** Parameter set of the ML-DSA part: 44, 65 or 87. */
  readonly set: MlDsaSet;
  readonly digest: CompositeDigest;
  /** Name of the traditional signature algorithm, for example `SHA256withECDSA`. */
  readonly traditional: string;
  /** Encoded AlgorithmIdentifier of the traditional key. */
  readonly keyAlgorithm: Uint8Array;
  /** Modulus size of an RSA part. */
  readonly rsaBits?: number;
}

export type MlDsaSet = 44 | 65 | 87;

interface MlDsaFacts {
  readonly oid: string;
  /** Lengths in bytes (FIPS 204 table 2). */
  readonly keyLength: number;
  readonly signatureLength: number;
}

const ML_DSA: Readonly<Record<MlDsaSet, MlDsaFacts>> = {
  44: { oid: OID.mlDsa44, keyLength: 1312, signatureLength: 2420 },
  65: { oid: OID.mlDsa65, keyLength: 1952, signatureLength: 3309 },
  87: { oid: OID.mlDsa87, keyLength: 2592, signatureLength: 4627 },
};

type Traditional = Pick<CompositeAlgorithm, 'traditional' | 'keyAlgorithm' | 'rsaBits'>;

const rsa = (rsaBits: number, traditional: string): Traditional => ({
  traditional,
  keyAlgorithm: encodeDer(sequence([oidPart(OID.rsaEncryption), nullPart()])),
  rsaBits,
});
const ecdsa = (curve: string, digest: 'SHA256' | 'SHA384' | 'SHA512'): Traditional => ({
  traditional: `${digest}withECDSA`,
  keyAlgorithm: encodeDer(sequence([oidPart(OID.ecPublicKey), oidPart(curve)])),
});
const edwards = (traditional: string, oid: string): Traditional => ({
  traditional,
  keyAlgorithm: encodeDer(sequence([oidPart(oid)])),
});

const BRAINPOOL_P256 = '1.3.36.3.3.2.8.1.1.7';
const BRAINPOOL_P384 = '1.3.36.3.3.2.8.1.1.11';

/** Combinations in the order of their OIDs, from 1.3.6.1.5.5.7.6.37 (§6). */
const COMBINATIONS: readonly (readonly [string, Traditional])[] = [
  ['MLDSA44-RSA2048-PSS-SHA256', rsa(2048, 'SHA256withRSAandMGF1')],
  ['MLDSA44-RSA2048-PKCS15-SHA256', rsa(2048, 'SHA256withRSA')],
  ['MLDSA44-Ed25519-SHA512', edwards('Ed25519', OID.ed25519)],
  ['MLDSA44-ECDSA-P256-SHA256', ecdsa(OID.secp256r1, 'SHA256')],
  ['MLDSA65-RSA3072-PSS-SHA512', rsa(3072, 'SHA256withRSAandMGF1')],
  ['MLDSA65-RSA3072-PKCS15-SHA512', rsa(3072, 'SHA256withRSA')],
  ['MLDSA65-RSA4096-PSS-SHA512', rsa(4096, 'SHA384withRSAandMGF1')],
  ['MLDSA65-RSA4096-PKCS15-SHA512', rsa(4096, 'SHA384withRSA')],
  ['MLDSA65-ECDSA-P256-SHA512', ecdsa(OID.secp256r1, 'SHA256')],
  ['MLDSA65-ECDSA-P384-SHA512', ecdsa(OID.secp384r1, 'SHA384')],
  ['MLDSA65-ECDSA-brainpoolP256r1-SHA512', ecdsa(BRAINPOOL_P256, 'SHA256')],
  ['MLDSA65-Ed25519-SHA512', edwards('Ed25519', OID.ed25519)],
  ['MLDSA87-ECDSA-P384-SHA512', ecdsa(OID.secp384r1, 'SHA384')],
  ['MLDSA87-ECDSA-brainpoolP384r1-SHA512', ecdsa(BRAINPOOL_P384, 'SHA384')],
  ['MLDSA87-Ed448-SHAKE256', edwards('Ed448', OID.ed448)],
  ['MLDSA87-RSA3072-PSS-SHA512', rsa(3072, 'SHA256withRSAandMGF1')],
  ['MLDSA87-RSA4096-PSS-SHA512', rsa(4096, 'SHA384withRSAandMGF1')],
  ['MLDSA87-ECDSA-P521-SHA512', ecdsa(OID.secp521r1, 'SHA512')],
];

/** Composite algorithms by OID. */
export const COMPOSITE_ALGORITHMS: ReadonlyMap<string, CompositeAlgorithm> = new Map(
  COMBINATIONS.map(([name, traditional], index) => {
    const oid = `1.3.6.1.5.5.7.6.${37 + index}`;
    return [oid, { oid, name, set: setOf(name), digest: digestOf(name), ...traditional }];
  }),
);

function setOf(name: string): MlDsaSet {
  const set = Number(name.slice('MLDSA'.length, 'MLDSA'.length + 2));
  return set === 44 || set === 65 ? set : 87;
}

function digestOf(name: string): CompositeDigest {
  if (name.endsWith('SHAKE256')) return 'shake256';
  return name.endsWith('SHA256') ? 'sha256' : 'sha512';
}

export interface CompositeParts {
  /** The part of ML-DSA. */
  readonly postQuantum: Uint8Array;
  readonly traditional: Uint8Array;
}

/** Divides a public key, whose ML-DSA part has a fixed length; `undefined` if it is too short (§5.1). */
export const splitCompositeKey = (keyBytes: Uint8Array, { set }: CompositeAlgorithm): CompositeParts | undefined =>
  split(keyBytes, ML_DSA[set].keyLength);

/** Divides a signature in the same manner (§5.3). */
export const splitCompositeSignature = (
  signature: Uint8Array,
  { set }: CompositeAlgorithm,
): CompositeParts | undefined => split(signature, ML_DSA[set].signatureLength);

function split(octets: Uint8Array, length: number): CompositeParts | undefined {
  if (octets.length <= length) return undefined;
  return { postQuantum: octets.subarray(0, length), traditional: octets.subarray(length) };
}

/** Returns both parts of a public key as SubjectPublicKeyInfo. */
export function compositeKeyInfos(parts: CompositeParts, { set, keyAlgorithm }: CompositeAlgorithm): CompositeParts {
  const postQuantum = sequence([sequence([oidPart(ML_DSA[set].oid)]), bitStringPart(parts.postQuantum)]);
  return {
    postQuantum: encodeDer(postQuantum),
    traditional: encodeDer(sequence([keyAlgorithm, bitStringPart(parts.traditional)])),
  };
}

const PREFIX = encodeUtf8('CompositeAlgorithmSignatures2025');
const LABELS: ReadonlyMap<string, string> = new Map([
  ['MLDSA65-ECDSA-brainpoolP256r1-SHA512', 'COMPSIG-MLDSA65-ECDSA-BP256-SHA512'],
  ['MLDSA87-ECDSA-brainpoolP384r1-SHA512', 'COMPSIG-MLDSA87-ECDSA-BP384-SHA512'],
]);

/** Returns the label that separates the combinations; it is also the context of the ML-DSA part (§2.2). */
export const compositeLabel = ({ name }: CompositeAlgorithm): Uint8Array =>
  encodeUtf8(LABELS.get(name) ?? `COMPSIG-${name}`);

/**
 * Returns the message that both parts sign, with an empty context (§2.2). `digest` is the hash of the original message.
 */
export const compositeMessage = (algorithm: CompositeAlgorithm, digest: Uint8Array): Uint8Array =>
  concatBytes([PREFIX, compositeLabel(algorithm), Uint8Array.of(0), digest]);
