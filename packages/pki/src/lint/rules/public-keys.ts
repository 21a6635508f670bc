// Public keys (RFC 5280 §4.1.2.7): sufficient strength, and encoding as required by the algorithm.
import { checkKeyPolicy, DEFAULT_KEY_POLICY, type KeyPolicy } from '../../key-policy.ts';
import { OID } from '../../oids.ts';
import { TAG } from '../../der/tags.ts';
import { withParameters, type CertificateRules, type CertificateRuleSet } from '../certificate-rule.ts';

/**
 * Existing certificates can be for encryption, as RFC 9935 specifies for ML-KEM, and have composite keys. Profiles
 * decide what is issued.
 */
const LINT_POLICY: KeyPolicy = {
  ...DEFAULT_KEY_POLICY,
  families: [...DEFAULT_KEY_POLICY.families, 'ML-KEM', 'Composite'],
};

const PUBLIC_KEY_RULES = {
  'key-policy': withParameters<KeyPolicy>({
    demand: 'The key type and size must be allowed by the key policy.',
    remedy: 'Request the certificate with a key of an allowed type and size.',
    citation: 'NIST SP 800-131A; RFC 8017 §3.1; RFC 5480 §2.1.1.1',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    parameters: LINT_POLICY,
    violates: ({ certificate }, policy) =>
      checkKeyPolicy(certificate.publicKey, policy)
        .map(({ message }) => message)
        .join(' ') || undefined,
  }),
  'key-parameters': {
    demand: 'The algorithm parameters of an RSA key must be NULL.',
    remedy: 'Encode the parameters of the key algorithm as NULL.',
    citation: 'RFC 3279 §2.3.1',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    violates: ({ certificate: { publicKey } }) =>
      publicKey.algorithm.oid === OID.rsaEncryption && publicKey.algorithm.parameters?.tag !== TAG.null,
  },
} satisfies CertificateRules;

export const PUBLIC_KEYS = {
  code: 'public-keys',
  name: 'Public keys',
  description: 'Type, size, soundness and encoding of the public key. The limits are configurable.',
  rules: PUBLIC_KEY_RULES,
} satisfies CertificateRuleSet;
