// Keys that a token can generate, based on the mechanisms it reports, and how each is generated.
import { CKA, CKK, CKM, CKO } from '../module/constants.ts';
import type { CkAttribute, CkMechanism } from '../module/cryptoki.ts';
import type { Mechanism } from '../module/protocol.ts';

export interface KeyPairSpec {
  readonly name: string;
  readonly generation: number;
  /** At least one of these is required for the key to be usable. */
  readonly signing: readonly number[];
  /** Sizes in the mechanism's unit, at least one of which must be within its range. Absent for fixed parameter sets. */
  readonly sizes?: readonly number[];
  /**
   * Public key attributes. Tokens expect the parameters of Edwards curves in different forms, so there may be multiple
   * forms, which are tried in order.
   */
  readonly parameters: readonly (readonly CkAttribute[])[];
  readonly canDecrypt?: true;
}

const F4 = Buffer.from([1, 0, 1]);

const rsa = (bits: number): KeyPairSpec => ({
  name: `RSA-${bits}`,
  generation: CKM.rsaPkcsKeyPairGen,
  signing: [CKM.rsaPkcs, CKM.rsaPkcsPss, CKM.sha256RsaPkcs, CKM.sha256RsaPkcsPss],
  sizes: [bits],
  parameters: [
    [
      { type: CKA.modulusBits, value: bits },
      { type: CKA.publicExponent, value: F4 },
    ],
  ],
  canDecrypt: true,
});

const ec = (name: string, bits: number, oid: string): KeyPairSpec => ({
  name,
  generation: CKM.ecKeyPairGen,
  signing: [CKM.ecdsa, CKM.ecdsaSha256],
  sizes: [bits],
  parameters: [[{ type: CKA.ecParams, value: Buffer.from(oid, 'hex') }]],
});

/** The curve is identified by its RFC 8410 OID, or by its name as in PKCS #11 3.0 §2.3.5. */
const edwards = (name: string, facts: { sizes: readonly number[]; oid: string; curve: string }): KeyPairSpec => ({
  name,
  generation: CKM.ecEdwardsKeyPairGen,
  signing: [CKM.eddsa],
  sizes: facts.sizes,
  parameters: [
    [{ type: CKA.ecParams, value: Buffer.from(facts.oid, 'hex') }],
    [{ type: CKA.ecParams, value: Buffer.from([0x13, facts.curve.length, ...Buffer.from(facts.curve)]) }],
  ],
});

const mlDsa = (name: string, parameterSet: number): KeyPairSpec => ({
  name,
  generation: CKM.mlDsaKeyPairGen,
  signing: [CKM.mlDsa],
  parameters: [[{ type: CKA.parameterSet, value: parameterSet }]],
});

const KEY_PAIR_SPECS: readonly KeyPairSpec[] = [
  ec('P-256', 256, '06082a8648ce3d030107'),
  ec('P-384', 384, '06052b81040022'),
  ec('P-521', 521, '06052b81040023'),
  rsa(2048),
  rsa(3072),
  rsa(4096),
  edwards('Ed25519', { sizes: [255, 256], oid: '06032b6570', curve: 'edwards25519' }),
  edwards('Ed448', { sizes: [448, 456], oid: '06032b6571', curve: 'edwards448' }),
  mlDsa('ML-DSA-44', 1),
  mlDsa('ML-DSA-65', 2),
  mlDsa('ML-DSA-87', 3),
];

export interface SecretSpec {
  readonly name: string;
  readonly octets: number;
  readonly generation: number;
  readonly use: number;
  readonly keyType: number;
}

/** PKCS #11 specifies AES sizes in bytes; some tokens report bits. */
const aes = (bits: number): SecretSpec => ({
  name: `AES-${bits}`,
  octets: bits / 8,
  generation: CKM.aesKeyGen,
  use: CKM.aesGcm,
  keyType: CKK.aes,
});

const hmac = (digest: string, octets: number, use: number): SecretSpec => ({
  name: `HMAC-${digest}`,
  octets,
  generation: CKM.genericSecretKeyGen,
  use,
  keyType: CKK.genericSecret,
});

const SECRET_SPECS: readonly SecretSpec[] = [
  aes(256),
  aes(192),
  aes(128),
  hmac('SHA-256', 32, CKM.sha256Hmac),
  hmac('SHA-384', 48, CKM.sha384Hmac),
  hmac('SHA-512', 64, CKM.sha512Hmac),
];

export function offeredPairs(mechanisms: readonly Mechanism[]): readonly KeyPairSpec[] {
  const known = new Map(mechanisms.map((each) => [each.mechanism, each]));
  return KEY_PAIR_SPECS.filter(({ generation, signing, sizes }) => {
    const found = known.get(generation);
    if (!found || !signing.some((each) => known.has(each))) return false;
    return sizes?.some((size) => size >= found.minKeySize && size <= found.maxKeySize) ?? true;
  });
}

export function offeredSecrets(mechanisms: readonly Mechanism[]): readonly SecretSpec[] {
  const known = new Map(mechanisms.map((each) => [each.mechanism, each]));
  return SECRET_SPECS.filter(({ generation, use, octets }) => {
    const found = known.get(generation);
    if (!found || !known.has(use)) return false;
    return [octets, octets * 8].some((size) => size >= found.minKeySize && size <= found.maxKeySize);
  });
}

export interface KeyNaming {
  readonly id: Uint8Array;
  readonly label: string;
}

const nameAttributes = ({ id, label }: KeyNaming): CkAttribute[] => [
  { type: CKA.token, value: true },
  { type: CKA.id, value: Buffer.from(id) },
  { type: CKA.label, value: Buffer.from(label) },
];

/** Attributes that prevent a key from leaving its token. */
const PROTECTED: readonly CkAttribute[] = [
  { type: CKA.private, value: true },
  { type: CKA.sensitive, value: true },
  { type: CKA.extractable, value: false },
];

/**
 * Attributes that prevent a key from being used to extract other keys from the token. Some tokens allow everything that
 * is not explicitly prohibited.
 */
const NO_OTHER_KEYS: readonly CkAttribute[] = [
  { type: CKA.unwrap, value: false },
  { type: CKA.derive, value: false },
];

export interface PairTemplates {
  readonly mechanism: CkMechanism;
  readonly publicTemplate: readonly CkAttribute[];
  readonly privateTemplate: readonly CkAttribute[];
}

/** `parameters` is one of the forms in the spec. */
export const pairTemplates = (
  { generation }: KeyPairSpec,
  naming: KeyNaming,
  { parameters, decrypts }: { readonly parameters: readonly CkAttribute[]; readonly decrypts: boolean },
): PairTemplates => ({
  mechanism: { mechanism: generation, parameter: null },
  publicTemplate: [
    ...nameAttributes(naming),
    { type: CKA.private, value: false },
    { type: CKA.verify, value: true },
    { type: CKA.encrypt, value: decrypts },
    { type: CKA.wrap, value: false },
    ...parameters,
  ],
  privateTemplate: [
    ...nameAttributes(naming),
    ...PROTECTED,
    { type: CKA.sign, value: true },
    { type: CKA.decrypt, value: decrypts },
    ...NO_OTHER_KEYS,
  ],
});

export const secretTemplate = ({ octets, keyType, generation }: SecretSpec, naming: KeyNaming) => ({
  mechanism: { mechanism: generation, parameter: null },
  template: [
    { type: CKA.class, value: CKO.secretKey },
    { type: CKA.keyType, value: keyType },
    ...nameAttributes(naming),
    ...PROTECTED,
    { type: CKA.valueLength, value: octets },
    { type: CKA.encrypt, value: keyType === CKK.aes },
    { type: CKA.decrypt, value: keyType === CKK.aes },
    { type: CKA.sign, value: keyType !== CKK.aes },
    { type: CKA.verify, value: keyType !== CKK.aes },
    { type: CKA.wrap, value: false },
    ...NO_OTHER_KEYS,
  ],
});
