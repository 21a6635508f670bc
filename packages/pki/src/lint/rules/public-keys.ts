// The public key (RFC 5280 §4.1.2.7): whether it is strong enough, and encoded as its algorithm requires.
import { checkKeyPolicy, DEFAULT_KEY_POLICY, type KeyPolicy } from '../../key-policy.ts';
import { OID } from '../../oids.ts';
import { TAG } from '../../der/tags.ts';
import { withParameters, type CertificateRules, type CertificateRuleSet } from '../certificate-rule.ts';

const PUBLIC_KEY_RULES = {
  'key-policy': withParameters<KeyPolicy>({
    demand: 'The key must be of a kind and size that the key policy allows.',
    remedy: 'Request the certificate with a key of an allowed kind and size.',
    citation: 'NIST SP 800-131A; RFC 8017 §3.1; RFC 5480 §2.1.1.1',
    severity: 'error',
    field: 'subjectPublicKeyInfo',
    parameters: DEFAULT_KEY_POLICY,
    violates: ({ certificate }, policy) =>
      checkKeyPolicy(certificate.publicKey, policy)
        .map(({ message }) => message)
        .join(' ') || undefined,
  }),
  'key-parameters': {
    demand: 'An RSA key must have NULL as the parameters of its algorithm.',
    remedy: 'Encode NULL as the parameters of the key algorithm.',
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
  description: 'Kind, size, soundness and encoding of the public key. The limits can be set.',
  rules: PUBLIC_KEY_RULES,
} satisfies CertificateRuleSet;
