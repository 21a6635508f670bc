// Post-quantum cryptography: ML-DSA (RFC 9881), SLH-DSA (RFC 9909) and ML-KEM (RFC 9935) in certificates, alternative
// keys and signatures in hybrid certificates (X.509 2019 §9.8), and readiness.
import { contentBytes, openElement, parseDer, readBitString, type DerElement } from '../../der/reader.ts';
import { findExtension, type KeyUsage } from '../../x509/extensions.ts';
import { alternativeKey } from '../../x509/alternative-signature.ts';
import { isQuantumSafe, quantumCategory } from '../key-strength.ts';
import { OID } from '../../oids.ts';
import { POST_QUANTUM_KEY_LENGTHS, type KeyFamily } from '../../keys.ts';
import { readAlgorithm, signatureAlgorithmName } from '../../algorithms.ts';
import { TAG } from '../../der/tags.ts';
import {
  withParameters,
  type CertificateRule,
  type CertificateRules,
  type CertificateRuleSet,
  type LintSubject,
} from '../certificate-rule.ts';

/** Reads the fields of SubjectPublicKeyInfo separately: keys that violate these rules cannot be parsed as keys. */
function rawKey({ certificate }: LintSubject): { oid: string; parameters: DerElement | undefined; octets: number } {
  const cursor = openElement(parseDer(certificate.spki), TAG.sequence);
  const { oid, parameters } = readAlgorithm(cursor.next());
  return { oid, parameters, octets: readBitString(cursor.next()).bytes.length };
}

const SIGNING: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation', 'keyCertSign', 'cRLSign'];
const KEM_ONLY: readonly KeyUsage[] = ['keyEncipherment'];

/** Returns a rule that requires at least one of these usages and no others (RFC 9881 §5, RFC 9909 §6, RFC 9935 §5). */
const usages = (family: KeyFamily, allowed: readonly KeyUsage[], citation: string): CertificateRule => ({
  demand: `The key usage of ${family} keys must consist of one or more of: ${allowed.join(', ')}.`,
  remedy: `Use only ${allowed.join(', ')}.`,
  citation,
  severity: 'error',
  field: 'extensions.keyUsage',
  violates: ({ certificate: { publicKey, keyUsage } }) =>
    publicKey.family === family &&
    keyUsage !== undefined &&
    (keyUsage.length === 0 || keyUsage.some((usage) => !allowed.includes(usage))),
});

/** HashML-DSA (FIPS 204 §5.4): 2.16.840.1.101.3.4.3.32 to 34. */
const HASH_ML_DSA = /^2\.16\.840\.1\.101\.3\.4\.3\.3[2-4]$/;
/**
 * Draft and competition versions of Dilithium, Falcon, SPHINCS+ and Kyber, with OIDs assigned by OQS and Bouncy Castle.
 */
const DRAFTS =
  /^1\.3\.6\.1\.4\.1\.(?:2\.267\.(?:7|8|11|12)\.|22554\.5\.|22554\.2\.)|^1\.3\.9999\.|^2\.16\.840\.1\.114027\.80\./;

const HYBRID: readonly string[] = [OID.subjectAltPublicKeyInfo, OID.altSignatureAlgorithm, OID.altSignatureValue];

const ENCODING = {
  'pq-key-parameters': {
    demand: 'The algorithm identifier of a post-quantum key must not have parameters.',
    remedy: 'Omit the parameters, including NULL.',
    citation: 'RFC 9881 §2; RFC 9909 §3; RFC 9935 §3',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: (subject) => {
      const { oid, parameters } = rawKey(subject);
      return (
        POST_QUANTUM_KEY_LENGTHS.has(oid) && parameters !== undefined && { value: contentBytes(parameters).toHex() }
      );
    },
  },
  'pq-key-length': {
    demand: 'A post-quantum key must have the length defined by its parameter set, without additional encoding.',
    remedy: 'Put the key bytes directly into the BIT STRING.',
    citation: 'FIPS 203 §8; FIPS 204 §4; FIPS 205 §11',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: (subject) => {
      const { oid, octets } = rawKey(subject);
      const expected = POST_QUANTUM_KEY_LENGTHS.get(oid);
      return expected !== undefined && octets !== expected && { value: `${octets} octets` };
    },
  },
  'pq-ml-dsa-key-usage': usages('ML-DSA', SIGNING, 'RFC 9881 §5'),
  'pq-slh-dsa-key-usage': usages('SLH-DSA', SIGNING, 'RFC 9909 §6'),
  'pq-ml-kem-key-usage': usages('ML-KEM', KEM_ONLY, 'RFC 9935 §5'),
  'pq-ml-kem-ca': {
    demand: 'A CA must not have an ML-KEM key, because it cannot sign.',
    remedy: 'Use an ML-DSA or SLH-DSA key for the CA.',
    citation: 'RFC 9935 §5; RFC 5280 §4.2.1.9',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    appliesTo: ['authority'],
    violates: ({ certificate }) => certificate.publicKey.family === 'ML-KEM',
  },
  'pq-hash-ml-dsa': {
    demand: 'HashML-DSA, the pre-hash variant of ML-DSA, must not be used in certificates.',
    remedy: 'Sign with pure ML-DSA-44, ML-DSA-65 or ML-DSA-87.',
    citation: 'RFC 9881 §8.3',
    severity: 'error',
    field: 'signature',
    violates: (subject) =>
      HASH_ML_DSA.test(subject.certificate.signatureAlgorithm.oid) || HASH_ML_DSA.test(rawKey(subject).oid),
  },
  'pq-draft-algorithm': {
    demand: 'Draft and competition algorithms should not be used: they are incompatible with the final standards.',
    remedy: 'Use ML-DSA, SLH-DSA or ML-KEM as standardized in FIPS 203, 204 and 205.',
    citation: 'NIST IR 8547 §4.1',
    severity: 'warning',
    field: 'subjectPublicKeyInfo',
    violates: (subject) => DRAFTS.test(rawKey(subject).oid) || DRAFTS.test(subject.certificate.signatureAlgorithm.oid),
  },
} satisfies CertificateRules;

const READINESS = {
  'pq-key': {
    demand: 'The key is not post-quantum: a quantum computer could compute the private key from it.',
    remedy: 'Plan the migration to ML-DSA, SLH-DSA or ML-KEM, or to a hybrid certificate.',
    citation: 'NIST IR 8547 §1',
    severity: 'notice',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate }) =>
      !isQuantumSafe(certificate.publicKey) && certificate.extensionValue(OID.subjectAltPublicKeyInfo) === undefined,
  },
  'pq-signature': {
    demand: 'The signature is not post-quantum: a quantum computer could be used to forge such certificates.',
    remedy: 'Plan a CA with an ML-DSA or SLH-DSA key, or with an alternative signature.',
    citation: 'NIST IR 8547 §1',
    severity: 'notice',
    field: 'signature',
    violates: ({ certificate }) =>
      !/^(?:(?:Hash)?ML-DSA|(?:Hash)?SLH-DSA|MLDSA)/.test(certificate.signatureAlgorithmName) &&
      certificate.extensionValue(OID.altSignatureValue) === undefined,
  },
  'pq-category': withParameters({
    demand: 'A post-quantum key should meet the required security category.',
    remedy: 'Use a larger parameter set, such as ML-DSA-87 or ML-KEM-1024.',
    citation: 'FIPS 204 §4; FIPS 203 §8; CNSA 2.0',
    severity: 'notice',
    field: 'subjectPublicKeyInfo',
    parameters: { minCategory: 3 },
    violates: ({ certificate: { publicKey } }, { minCategory }) => {
      const category = quantumCategory(publicKey.name);
      return (
        category !== undefined &&
        category < minCategory &&
        `${publicKey.name} is in category ${category}; at least ${minCategory} is required.`
      );
    },
  }),
} satisfies CertificateRules;

const HYBRIDS = {
  'hybrid-signature-complete': {
    demand: 'An alternative signature must be accompanied by its algorithm.',
    remedy: 'Add both altSignatureAlgorithm and altSignatureValue, or neither.',
    citation: 'X.509 (2019) §9.8.3, §9.8.4',
    severity: 'error',
    field: 'extensions.altSignatureValue',
    violates: ({ certificate }) =>
      (certificate.extensionValue(OID.altSignatureAlgorithm) === undefined) !==
      (certificate.extensionValue(OID.altSignatureValue) === undefined),
  },
  'hybrid-not-critical': {
    demand:
      'Alternative keys and signatures should not be critical: software that does not support them would reject them.',
    remedy: 'Mark the extensions as not critical.',
    citation: 'X.509 (2019) §9.8.2',
    severity: 'warning',
    field: 'extensions',
    violates: ({ certificate }) => {
      const critical = HYBRID.find((oid) => findExtension(certificate.extensions, oid)?.critical === true);
      return critical !== undefined && { field: `extensions.${critical}.critical`, value: 'TRUE' };
    },
  },
  'hybrid-key-post-quantum': {
    demand: 'The alternative key of a hybrid certificate should be post-quantum if the primary key is not.',
    remedy: 'Use ML-DSA, SLH-DSA or ML-KEM as the alternative key.',
    citation: 'X.509 (2019) §9.8.2',
    severity: 'warning',
    field: 'extensions.subjectAltPublicKeyInfo',
    violates: ({ certificate }) => {
      const key = alternativeKey(certificate);
      return key !== undefined && !isQuantumSafe(key) && !isQuantumSafe(certificate.publicKey);
    },
  },
  'hybrid-signature-post-quantum': {
    demand: 'The alternative signature should be post-quantum if the primary signature is not.',
    remedy: 'Have the CA use ML-DSA or SLH-DSA for the alternative signature.',
    citation: 'X.509 (2019) §9.8.3',
    severity: 'warning',
    field: 'extensions.altSignatureAlgorithm',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.altSignatureAlgorithm);
      if (value === undefined) return false;
      const names = [signatureAlgorithmName(readAlgorithm(parseDer(value))), certificate.signatureAlgorithmName];
      return !names.some((name) => /^(?:ML-DSA|SLH-DSA)/.test(name));
    },
  },
} satisfies CertificateRules;

export const POST_QUANTUM = {
  code: 'post-quantum',
  name: 'Post-quantum cryptography',
  description: 'Encoding and use of ML-DSA, SLH-DSA and ML-KEM, hybrid certificates, and post-quantum readiness.',
  rules: { ...ENCODING, ...READINESS, ...HYBRIDS },
} satisfies CertificateRuleSet;
