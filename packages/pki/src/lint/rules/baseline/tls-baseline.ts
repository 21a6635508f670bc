// Rule set for the TLS Baseline Requirements.
import { BASELINE } from './subscribers.ts';
import { BASELINE_AUTHORITIES } from './authorities.ts';
import { BASELINE_PROFILE } from './profile.ts';
import { BASELINE_SUBJECTS } from './subjects.ts';
import type { CertificateRuleSet } from '../../certificate-rule.ts';

export const TLS_BASELINE = {
  code: 'tls-baseline',
  name: 'TLS Baseline Requirements (CA/Browser Forum)',
  description:
    'CA/Browser Forum requirements for TLS server certificates that contain one of its policies, and for their CAs.',
  rules: { ...BASELINE, ...BASELINE_PROFILE, ...BASELINE_SUBJECTS, ...BASELINE_AUTHORITIES },
} satisfies CertificateRuleSet;
