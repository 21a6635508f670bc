// Key policy: which public keys may be certified, and used for accounts. Weaknesses that give the private key away are
// found whatever the policy says.
import { OID } from './oids.ts';
import type { KeyFamily, PublicKey } from './keys.ts';
import { findModulusWeakness, type ModulusWeakness } from './rsa-weaknesses.ts';

/** Which keys a profile accepts. An absent field allows what `DEFAULT_KEY_POLICY` allows. */
export interface KeyPolicy {
  readonly families?: readonly KeyFamily[];
  readonly minRsaBits?: number;
  readonly maxRsaBits?: number;
  /** Whether RSA keys may have another public exponent than 65537; it has to be sound in any case. */
  readonly otherRsaExponents?: boolean;
  /** Identifiers of curves. */
  readonly curves?: readonly string[];
}

/**
 * RSA-2048 and up, the three NIST curves, Edwards curves, ML-DSA and SLH-DSA. The upper RSA bound limits verification
 * cost, and that of the search for weaknesses.
 */
export const DEFAULT_KEY_POLICY: Required<KeyPolicy> = {
  families: ['RSA', 'ECDSA', 'Ed25519', 'Ed448', 'ML-DSA', 'SLH-DSA'],
  minRsaBits: 2048,
  maxRsaBits: 8192,
  otherRsaExponents: true,
  curves: [OID.secp256r1, OID.secp384r1, OID.secp521r1],
};

export interface KeyFinding {
  readonly code:
    | 'key-family'
    | 'rsa-too-small'
    | 'rsa-too-large'
    | 'rsa-modulus'
    | 'rsa-exponent'
    | ModulusWeakness
    | 'ec-curve'
    | 'ec-point';
  readonly message: string;
}

const USUAL_EXPONENT = 65_537n;
/** NIST SP 800-56B §6.2 and FIPS 186-5 appendix A.1.1: odd, above 2^16 and below 2^256; so CA/Browser BR §6.1.6. */
const EXPONENT_LIMIT = 2n ** 256n;

const WEAKNESS_TEXTS: Readonly<Record<ModulusWeakness, string>> = {
  'rsa-close-primes':
    'The RSA key gives its private key away: its two primes are too close to each other (Fermat factorization). ' +
    'Generate a new key with other software.',
  'rsa-roca':
    'The RSA key gives its private key away: it was made by a faulty library of Infineon chips (ROCA, ' +
    'CVE-2017-15361). Generate a new key outside the chip, or after an update of its firmware.',
};

/** What a policy has against a key; empty when it is fine. Weaknesses that no policy can allow are always reported. */
export function checkKeyPolicy(key: PublicKey, policy: KeyPolicy = {}): KeyFinding[] {
  const inForce = { ...DEFAULT_KEY_POLICY, ...policy };
  const findings: KeyFinding[] = [];
  if (!inForce.families.includes(key.family)) {
    findings.push({ code: 'key-family', message: `Keys of type ${key.name} are not allowed.` });
  }
  if (key.family === 'RSA') findings.push(...checkRsaKey(key, inForce));
  if (key.family === 'ECDSA') findings.push(...checkEcKey(key, inForce));
  return findings;
}

function checkRsaKey(key: PublicKey, policy: Required<KeyPolicy>): KeyFinding[] {
  const findings: KeyFinding[] = [];
  const { modulus = new Uint8Array(), exponent = new Uint8Array() } = key;
  if (key.bits < policy.minRsaBits) {
    findings.push({
      code: 'rsa-too-small',
      message: `The RSA key has ${key.bits} bits; at least ${policy.minRsaBits} are needed.`,
    });
  }
  if (key.bits > policy.maxRsaBits) {
    findings.push({
      code: 'rsa-too-large',
      message: `The RSA key has ${key.bits} bits; at most ${policy.maxRsaBits} are allowed.`,
    });
  }
  if (((modulus.at(-1) ?? 0) & 1) === 0) findings.push({ code: 'rsa-modulus', message: 'The RSA modulus is even.' });
  const exponentProblem = problemOfExponent(exponent, policy);
  if (exponentProblem !== undefined) findings.push({ code: 'rsa-exponent', message: exponentProblem });
  // A key of any size costs time here, and one that is too large is refused as it is.
  if (key.bits > policy.maxRsaBits) return findings;
  const weakness = weaknessOf(key, modulus);
  if (weakness !== undefined) findings.push({ code: weakness, message: WEAKNESS_TEXTS[weakness] });
  return findings;
}

/** Found once for a key: several rules ask, and the search takes longer than all the rest. */
const weaknesses = new WeakMap<PublicKey, { readonly weakness: ModulusWeakness | undefined }>();

function weaknessOf(key: PublicKey, modulus: Uint8Array): ModulusWeakness | undefined {
  const known = weaknesses.get(key) ?? { weakness: findModulusWeakness(modulus) };
  weaknesses.set(key, known);
  return known.weakness;
}

function problemOfExponent(octets: Uint8Array, { otherRsaExponents }: Required<KeyPolicy>): string | undefined {
  const remedy = 'Generate a key with the exponent 65537.';
  const exponent = octets.length > 32 ? EXPONENT_LIMIT : BigInt(`0x0${octets.toHex()}`);
  if (exponent === USUAL_EXPONENT) return undefined;
  if (exponent < USUAL_EXPONENT || exponent >= EXPONENT_LIMIT || exponent % 2n === 0n)
    return `The RSA public exponent must be odd, at least 65537 and below 2^256 (NIST SP 800-56B §6.2). ${remedy}`;
  return otherRsaExponents ? undefined : `RSA keys with another public exponent than 65537 are not allowed. ${remedy}`;
}

function checkEcKey(key: PublicKey, { curves }: Required<KeyPolicy>): KeyFinding[] {
  const findings: KeyFinding[] = [];
  if (key.curveOid === undefined) {
    findings.push({ code: 'ec-curve', message: 'An EC key must name its curve.' });
  } else if (!curves.includes(key.curveOid)) {
    findings.push({ code: 'ec-curve', message: `Keys on the curve ${key.curve ?? key.curveOid} are not allowed.` });
  }
  if (key.keyBytes[0] !== 4) findings.push({ code: 'ec-point', message: 'The EC point must be uncompressed.' });
  return findings;
}
