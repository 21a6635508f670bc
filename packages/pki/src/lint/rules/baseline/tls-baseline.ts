// The set of the baseline requirements for TLS.
import { BASELINE } from './subscribers.ts';
import { BASELINE_AUTHORITIES } from './authorities.ts';
import { BASELINE_PROFILE } from './profile.ts';
import { BASELINE_SUBJECTS } from './subjects.ts';
import type { CertificateRuleSet } from '../../certificate-rule.ts';

export const TLS_BASELINE = {
  code: 'tls-baseline',
  name: 'TLS baseline requirements (CA/Browser Forum)',
  description:
    'What the CA/Browser Forum requires of TLS server certificates, and of CAs above them, that name one of its policies.',
  rules: { ...BASELINE, ...BASELINE_PROFILE, ...BASELINE_SUBJECTS, ...BASELINE_AUTHORITIES },
} satisfies CertificateRuleSet;
