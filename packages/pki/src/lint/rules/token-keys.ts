// Rules for token keys: algorithm, size, soundness. The purpose of a key is not checked.
import { checkKeyPolicy, DEFAULT_KEY_POLICY, type KeyFinding } from '../../key-policy.ts';
import { classicalBits, isQuantumSafe, keyText, quantumCategory } from '../key-strength.ts';
import { hasSmallFactor } from '../../rsa-weaknesses.ts';
import { OID } from '../../oids.ts';
import { TAG } from '../../der/tags.ts';
import { withKeyParameters, type KeyRule, type KeyRuleSet } from '../key-rule.ts';
import type { KeyFamily } from '../../keys.ts';

/** Returns a rule for one weakness that every key policy detects. */
const weaknessRule = (
  code: KeyFinding['code'],
  facts: Pick<KeyRule, 'demand' | 'remedy' | 'citation' | 'field'>,
): KeyRule => ({
  ...facts,
  severity: 'error',
  violates: (key) => checkKeyPolicy(key).find((finding) => finding.code === code)?.message,
});

export const TOKEN_KEYS = {
  code: 'token-keys',
  name: 'Keys',
  description: 'Algorithm, size and soundness of public keys and key pairs.',
  rules: {
    'key-algorithm': withKeyParameters<{ algorithms: readonly KeyFamily[] }>({
      demand: 'The key algorithm must be allowed.',
      remedy: 'Create a key with an allowed algorithm.',
      citation: 'NIST SP 800-131A; FIPS 186-5 §1',
      severity: 'error',
      field: 'algorithm',
      parameters: { algorithms: [...DEFAULT_KEY_POLICY.families, 'ML-KEM'] },
      violates: (key, { algorithms }) => !algorithms.includes(key.family) && `${keyText(key)} is not allowed.`,
    }),
    'key-rsa-size': withKeyParameters({
      demand: 'An RSA key must have the required minimum size.',
      remedy: 'Create a larger key; 3072 bits are sufficient beyond 2030.',
      citation: 'NIST SP 800-131A §3; CA/Browser Forum BR §6.1.5',
      severity: 'error',
      field: 'length',
      parameters: { minBits: 2048 },
      violates: ({ family, bits }, { minBits }) =>
        family === 'RSA' && bits < minBits && `The RSA key has ${bits} bits; at least ${minBits} are required.`,
    }),
    'key-rsa-largest-size': withKeyParameters({
      demand: 'An RSA key should not be larger than other software accepts.',
      remedy: 'Create a key of at most 4096 bits, or an EC key.',
      citation: 'NIST SP 800-57 part 1 §5.6.1',
      severity: 'warning',
      field: 'length',
      parameters: { maxBits: 8192 },
      violates: ({ family, bits }, { maxBits }) => family === 'RSA' && bits > maxBits,
    }),
    'key-rsa-octets': {
      demand: 'The size of an RSA modulus must be a multiple of 8 bits.',
      remedy: 'Create a key of 2048, 3072 or 4096 bits.',
      citation: 'CA/Browser Forum BR §6.1.5',
      severity: 'error',
      field: 'length',
      violates: ({ family, bits }) => family === 'RSA' && bits % 8 !== 0,
    },
    'key-rsa-exponent': weaknessRule('rsa-exponent', {
      demand: 'The public exponent must be odd, at least 65537 and below 2^256.',
      remedy: 'Create a key with the public exponent 65537.',
      citation: 'NIST SP 800-56B §6.2; CA/Browser Forum BR §6.1.6',
      field: 'key',
    }),
    'key-rsa-modulus': weaknessRule('rsa-modulus', {
      demand: 'An RSA modulus must be odd.',
      remedy: 'Create a new key with different software.',
      citation: 'CA/Browser Forum BR §6.1.6',
      field: 'key',
    }),
    'key-rsa-close-primes': weaknessRule('rsa-close-primes', {
      demand: 'The primes of an RSA key must not be close to each other.',
      remedy: 'Create a new key with different software, and stop using this one.',
      citation: 'CA/Browser Forum BR §6.1.1.3; FIPS 186-5 appendix A.1.3',
      field: 'key',
    }),
    'key-rsa-roca': weaknessRule('rsa-roca', {
      demand: 'An RSA key must not have the form produced by a faulty Infineon library (ROCA).',
      remedy: 'Create a new key outside the chip, and stop using this one.',
      citation: 'CA/Browser Forum BR §6.1.1.3; CVE-2017-15361',
      field: 'key',
    }),
    'key-rsa-small-factor': {
      demand: 'An RSA modulus must have no prime factor smaller than 752.',
      remedy: 'Create a new key: the modulus is not a product of two large primes.',
      citation: 'CA/Browser Forum BR §6.1.6; NIST SP 800-89 §5.3.3',
      severity: 'error',
      field: 'key',
      violates: ({ modulus }) => modulus !== undefined && hasSmallFactor(modulus),
    },
    'key-rsa-parameters': {
      demand: 'The algorithm parameters of an RSA key must be NULL.',
      remedy: 'Encode the parameters of the key algorithm as NULL.',
      citation: 'RFC 3279 §2.3.1',
      severity: 'error',
      field: 'key',
      violates: ({ algorithm }) => algorithm.oid === OID.rsaEncryption && algorithm.parameters?.tag !== TAG.null,
    },
    'key-curve': withKeyParameters({
      demand: 'The curve of an EC key must be allowed.',
      remedy: 'Create a key on P-256, P-384 or P-521.',
      citation: 'NIST SP 800-186 §3.2; CA/Browser Forum BR §6.1.5',
      severity: 'error',
      field: 'curve',
      parameters: { curves: ['P-256', 'P-384', 'P-521'] },
      violates: ({ family, curve }, { curves }) => family === 'ECDSA' && !curves.includes(curve ?? ''),
    }),
    'key-named-curve': {
      demand: 'An EC key must specify a named curve.',
      remedy: 'Encode the OID of the curve instead of its parameters.',
      citation: 'RFC 5480 §2.1.1',
      severity: 'error',
      field: 'curve',
      violates: ({ family, curveOid }) => family === 'ECDSA' && curveOid === undefined,
    },
    'key-uncompressed': {
      demand: 'The point of an EC key should be uncompressed: most software supports no other form.',
      remedy: 'Encode the point in uncompressed form.',
      citation: 'RFC 5480 §2.2',
      severity: 'warning',
      field: 'key',
      violates: ({ family, keyBytes }) => family === 'ECDSA' && keyBytes[0] !== 4,
    },
    'key-security-bits': withKeyParameters({
      demand: 'A key should have the required minimum security strength.',
      remedy: 'Create RSA keys of 3072 bits or more, or P-256, Ed25519 or ML-DSA keys.',
      citation: 'NIST IR 8547 §4.1.1; SP 800-57 part 1 §5.6.1',
      severity: 'warning',
      field: 'length',
      parameters: { minSecurityBits: 128 },
      violates: (key, { minSecurityBits }) => {
        const bits = classicalBits(key);
        return (
          bits !== undefined &&
          bits < minSecurityBits &&
          `${keyText(key)} has ${bits} bits of security; at least ${minSecurityBits} are required.`
        );
      },
    }),
    'key-post-quantum': {
      demand: 'The key is not post-quantum.',
      remedy: 'Plan the migration to ML-DSA, SLH-DSA or ML-KEM before 2035.',
      citation: 'NIST IR 8547 §4.1',
      severity: 'notice',
      field: 'algorithm',
      violates: (key) => !isQuantumSafe(key),
    },
    'key-category': withKeyParameters({
      demand: 'A post-quantum key should meet the required security category.',
      remedy: 'Create a key with a larger parameter set.',
      citation: 'FIPS 204 §4; FIPS 203 §8; CNSA 2.0',
      severity: 'notice',
      field: 'algorithm',
      parameters: { minCategory: 3 },
      violates: ({ name }, { minCategory }) => (quantumCategory(name) ?? minCategory) < minCategory,
    }),
  },
} satisfies KeyRuleSet;
