// Algorithms that are shown by name but not verified: drafts of post-quantum algorithms, and the national algorithms
// GOST (RFC 9215), SM2 and SM3 (GB/T 35276, GM/T 0006), and the plain ECDSA signatures of BSI TR-03111. Keys and
// signatures of these types are never accepted for issuance.

/** Signature algorithms by OID. */
export const NAMED_SIGNATURES: ReadonlyMap<string, string> = new Map([
  ['1.2.643.2.2.4', 'GOST R 34.11-94 with GOST R 34.10-94'],
  ['1.2.643.2.2.3', 'GOST R 34.11-94 with GOST R 34.10-2001'],
  ['1.2.643.7.1.1.3.2', 'GOST R 34.11-2012-256 with GOST R 34.10-2012-256'],
  ['1.2.643.7.1.1.3.3', 'GOST R 34.11-2012-512 with GOST R 34.10-2012-512'],
  ['1.2.156.10197.1.501', 'SM3withSM2'],
  ['1.2.156.10197.1.502', 'SHA1withSM2'],
  ['1.2.156.10197.1.503', 'SHA256withSM2'],
  ['1.2.156.10197.1.504', 'SM3withRSA'],
  ...['SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'RIPEMD160'].map((digest, index): [string, string] => [
    `0.4.0.127.0.7.1.1.4.1.${index + 1}`,
    `${digest}withPLAIN-ECDSA`,
  ]),
]);

/** Candidates, drafts and prototypes of post-quantum algorithms: their keys and signatures have the same OIDs. */
const POST_QUANTUM_DRAFTS: ReadonlyMap<string, string> = new Map([
  ['1.3.9999.3.11', 'Falcon-512'],
  ['1.3.9999.3.14', 'Falcon-1024'],
  ['1.3.9999.3.16', 'Falcon-padded-512'],
  ['1.3.9999.3.19', 'Falcon-padded-1024'],
  ['1.3.6.1.4.1.2.267.7.4.4', 'Dilithium2'],
  ['1.3.6.1.4.1.2.267.7.6.5', 'Dilithium3'],
  ['1.3.6.1.4.1.2.267.7.8.7', 'Dilithium5'],
  ['1.3.6.1.4.1.18227.2.1', 'Composite (prototype)'],
]);

/** Arc of the OIDs that drafts of composite ML-DSA used until 2025. */
const COMPOSITE_DRAFTS = '2.16.840.1.114027.80.8.1.';

/** Returns the name of an algorithm that only drafts and prototypes use, or `undefined` for any other OID. */
export function postQuantumDraftName(oid: string): string | undefined {
  if (oid.startsWith(COMPOSITE_DRAFTS)) return `Composite ML-DSA (draft ${oid.slice(COMPOSITE_DRAFTS.length)})`;
  return POST_QUANTUM_DRAFTS.get(oid);
}

interface NamedKey {
  readonly name: string;
  readonly bits: number;
}

/** Public keys by algorithm OID. The sizes are those of the curve or field, without the encoding. */
export const NAMED_KEYS: ReadonlyMap<string, NamedKey> = new Map([
  ['1.2.643.2.2.20', { name: 'GOST R 34.10-94', bits: 1024 }],
  ['1.2.643.2.2.19', { name: 'GOST R 34.10-2001', bits: 256 }],
  ['1.2.643.7.1.1.1.1', { name: 'GOST R 34.10-2012', bits: 256 }],
  ['1.2.643.7.1.1.1.2', { name: 'GOST R 34.10-2012', bits: 512 }],
]);

/** SM2 keys have the OID of EC keys and this curve. */
export const SM2_CURVE = '1.2.156.10197.1.301';

const BRAINPOOL = [160, 192, 224, 256, 320, 384, 512].flatMap((bits) =>
  ['r1', 't1'].map((form) => ({ name: `brainpoolP${bits}${form}`, bits })),
);

/** Brainpool curves in the order of their OIDs, from 1.3.36.3.3.2.8.1.1.1 (RFC 5639 §3). */
export const BRAINPOOL_CURVES: readonly (readonly [string, NamedKey])[] = BRAINPOOL.map((curve, index) => [
  `1.3.36.3.3.2.8.1.1.${index + 1}`,
  curve,
]);
