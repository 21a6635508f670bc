// Periods for which algorithms and keys remain acceptable: NIST SP 800-57 part 1, SP 800-131A, FIPS 186-5, and the
// dates in NIST IR 8547 (112-bit security until 2030, quantum-vulnerable algorithms until 2035).
import { hasSmallFactor } from '../../rsa-weaknesses.ts';
import { checkKeyPolicy } from '../../key-policy.ts';
import { classicalBits, isQuantumSafe, keyText } from '../key-strength.ts';
import { NAMED_SIGNATURES } from '../../named-algorithms.ts';
import { OID } from '../../oids.ts';
import { resolveSignatureAlgorithm } from '../../algorithms.ts';
import { withParameters, type CertificateRules, type CertificateRuleSet } from '../certificate-rule.ts';

const DAY_MS = 86_400_000;
const END_OF_2030 = Date.UTC(2031, 0, 1);
const END_OF_2035 = Date.UTC(2036, 0, 1);

const NIST_CURVES: readonly string[] = [OID.secp256r1, OID.secp384r1, OID.secp521r1, '1.3.132.0.33'];
const DIGEST_BITS: ReadonlyMap<string, number> = new Map([
  ['sha256', 256],
  ['sha384', 384],
  ['sha512', 512],
  ['sha3-256', 256],
  ['sha3-384', 384],
  ['sha3-512', 512],
  ['sha224', 224],
  ['sha1', 160],
  ['md5', 128],
]);
const WEAKNESSES: readonly string[] = ['rsa-close-primes', 'rsa-roca', 'rsa-modulus', 'rsa-exponent'];

const KEYS = {
  'strength-key': withParameters({
    demand: 'The key must have the required security strength.',
    remedy:
      'Use RSA with at least 2048 bits (3072 for 128 bits of security), P-256 or better, Ed25519, ML-DSA or SLH-DSA.',
    citation: 'NIST SP 800-131A §3; SP 800-57 part 1 §5.6.1',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    parameters: { minSecurityBits: 112 },
    violates: ({ certificate: { publicKey } }, { minSecurityBits }) => {
      const bits = classicalBits(publicKey);
      return (
        bits !== undefined &&
        bits < minSecurityBits &&
        `${keyText(publicKey)} has ${bits} bits of security; ${minSecurityBits} are required.`
      );
    },
  }),
  'strength-key-2030': {
    demand: 'A key with less than 128 bits of security should not be certified beyond 2030.',
    remedy: 'Use RSA with at least 3072 bits or P-256 or better, or let the certificate expire by 2030.',
    citation: 'NIST IR 8547 §4.1.1; SP 800-57 part 1 §5.6.3',
    severity: 'warning',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey, notAfterMs } }) =>
      notAfterMs >= END_OF_2030 && (classicalBits(publicKey) ?? 256) < 128,
  },
  'strength-key-2035': {
    demand: 'A quantum-vulnerable key should not be certified beyond 2035.',
    remedy: 'Let the certificate expire by 2035, or use ML-DSA, SLH-DSA or ML-KEM.',
    citation: 'NIST IR 8547 §4.1',
    severity: 'warning',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey, notAfterMs } }) => notAfterMs >= END_OF_2035 && !isQuantumSafe(publicKey),
  },
  'strength-key-sound': {
    demand: 'An RSA key must not have a weakness that reveals its private key.',
    remedy: 'Generate a new key with different software, and have the certificate revoked.',
    citation: 'CA/Browser Forum BR §6.1.1.3; NIST SP 800-56B §6.2',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) =>
      publicKey.family === 'RSA' &&
      (checkKeyPolicy(publicKey).find(({ code }) => WEAKNESSES.includes(code))?.message ?? false),
  },
  'strength-small-factor': {
    demand: 'An RSA modulus must have no prime factor smaller than 752.',
    remedy: 'Generate a new key: the modulus is not a product of two large primes.',
    citation: 'CA/Browser Forum BR §6.1.6; NIST SP 800-89 §5.3.3',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) => publicKey.modulus !== undefined && hasSmallFactor(publicKey.modulus),
  },
  'strength-rsa-exponent': {
    demand: 'The public exponent of an RSA key should be 65537.',
    remedy: 'Generate keys with the public exponent 65537, the default in all common software.',
    citation: 'NIST SP 800-56B §6.2; CA/Browser Forum BR §6.1.6',
    severity: 'notice',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) =>
      publicKey.exponent !== undefined && publicKey.exponent.toHex() !== '010001',
  },
  'strength-rsa-octets': {
    demand: 'The size of an RSA modulus should be a multiple of 1024 bits.',
    remedy: 'Use a key of 2048, 3072 or 4096 bits; other sizes are often rejected.',
    citation: 'FIPS 186-5 §5.1; NIST SP 800-56B §6.2',
    severity: 'notice',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) => publicKey.family === 'RSA' && publicKey.bits % 1024 !== 0,
  },
  'strength-curve': {
    demand: 'The curve should be one that NIST recommends for signatures.',
    remedy: 'Use P-256, P-384 or P-521, or Ed25519.',
    citation: 'NIST SP 800-186 §3.2',
    severity: 'warning',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) =>
      publicKey.family === 'ECDSA' && !NIST_CURVES.includes(publicKey.curveOid ?? ''),
  },
  'strength-dsa': {
    demand: 'DSA must not be used for new signatures.',
    remedy: 'Use ECDSA, Ed25519, RSA or ML-DSA.',
    citation: 'FIPS 186-5 §4',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate }) =>
      certificate.publicKey.family === 'DSA' || certificate.signatureAlgorithmName.endsWith('withDSA'),
  },
} satisfies CertificateRules;

const SIGNATURES = {
  'strength-signature-known': {
    demand: 'The signature algorithm should be known and not withdrawn.',
    remedy: 'Sign with RSA, ECDSA, EdDSA, ML-DSA or SLH-DSA.',
    citation: 'NIST SP 800-131A §3; FIPS 186-5 §1',
    severity: 'warning',
    field: 'signature',
    violates: ({ certificate }) =>
      /^\d/.test(certificate.signatureAlgorithmName) || NAMED_SIGNATURES.has(certificate.signatureAlgorithm.oid),
  },
  'strength-sha-224': {
    demand: 'SHA-224 should not be used for signatures valid beyond 2030.',
    remedy: 'Sign with SHA-256 or better.',
    citation: 'NIST SP 800-131A §9; SP 800-57 part 1 §5.6.3',
    severity: 'warning',
    field: 'signature',
    violates: ({ certificate }) =>
      certificate.signatureAlgorithmName.startsWith('SHA224with') && certificate.notAfterMs >= END_OF_2030,
  },
  'strength-signature-2030': {
    demand: "A certificate should not be valid beyond 2030 if its issuer's key has less than 128 bits of security.",
    remedy: 'Issue the certificate from a CA with a stronger key, or let it expire by 2030.',
    citation: 'NIST IR 8547 §4.1.1',
    severity: 'warning',
    field: 'signature',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) =>
      certificate.notAfterMs >= END_OF_2030 && issuer !== undefined && (classicalBits(issuer.publicKey) ?? 256) < 128,
  },
  'strength-digest-of-key': {
    demand: "The digest of an ECDSA signature should be as long as the issuer's key.",
    remedy: 'Sign with SHA-256 for P-256, SHA-384 for P-384, SHA-512 for P-521.',
    citation: 'FIPS 186-5 §6.1.1; NIST SP 800-57 part 1 §5.6.2',
    severity: 'warning',
    field: 'signature',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) => {
      if (issuer?.publicKey.family !== 'ECDSA') return false;
      const { digest = '' } = resolveSignatureAlgorithm(certificate.signatureAlgorithm);
      return (DIGEST_BITS.get(digest) ?? 512) < Math.min(issuer.publicKey.bits, 512);
    },
  },
  'strength-issuer': {
    demand: "The issuer's key should be as strong as the key it certifies.",
    remedy: 'Issue the certificate from a CA with a stronger key.',
    citation: 'NIST SP 800-57 part 1 §5.6.2',
    severity: 'notice',
    field: 'signature',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) =>
      issuer !== undefined && (classicalBits(issuer.publicKey) ?? 0) < (classicalBits(certificate.publicKey) ?? 0),
  },
  'strength-pss-salt': {
    demand: 'The salt of an RSASSA-PSS signature must not be longer than the digest.',
    remedy: 'Use a salt of the same length as the digest.',
    citation: 'FIPS 186-5 §5.4',
    severity: 'error',
    field: 'signature',
    violates: ({ certificate }) => {
      if (certificate.signatureAlgorithm.oid !== OID.rsaPss) return false;
      const { digest = '', saltLength = 0 } = resolveSignatureAlgorithm(certificate.signatureAlgorithm);
      return saltLength * 8 > (DIGEST_BITS.get(digest) ?? 0);
    },
  },
  'strength-validity': withParameters({
    demand: 'The validity period of an end-entity certificate should not exceed the cryptoperiod of its key.',
    remedy: 'Request a shorter validity period, with a new key for each certificate.',
    citation: 'NIST SP 800-57 part 1 §5.3.6',
    severity: 'warning',
    field: 'validity',
    appliesTo: ['subscriber'],
    parameters: { maxDays: 1095 },
    violates: ({ certificate: { notBeforeMs, notAfterMs } }, { maxDays }) =>
      notAfterMs - notBeforeMs + 1000 > maxDays * DAY_MS && `The certificate is valid for more than ${maxDays} days.`,
  }),
} satisfies CertificateRules;

export const ALGORITHM_STRENGTH = {
  code: 'algorithm-strength',
  name: 'Algorithm strength (NIST)',
  description: 'Strength of keys and signatures, and the dates until which NIST allows them: 2030 and 2035.',
  rules: { ...KEYS, ...SIGNATURES },
} satisfies CertificateRuleSet;
