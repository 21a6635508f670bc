// Rules from the RFCs for Internet X.509 certificates. They apply to every certificate.
import { ALTERNATIVE_NAMES } from './alternative-names.ts';
import { AUTHORITIES } from './authorities.ts';
import { BASIC_FIELDS } from './basic-fields.ts';
import { ENCODING } from './encoding.ts';
import { EXTENSIONS } from './extensions.ts';
import { KEY_IDENTIFIERS } from './key-identifiers.ts';
import { KEY_USAGE } from './key-usage.ts';
import { LOCATIONS } from './locations.ts';
import { NAMES } from './names.ts';
import { POLICIES } from './policies.ts';
import type { CertificateRuleSet } from '../../certificate-rule.ts';

export const X509_PROFILE = {
  code: 'x509-profile',
  name: 'Internet X.509 profile (RFC 5280)',
  description:
    'Requirements of RFC 5280, its updates (RFC 6818, 9549, 9598) and the RFCs for single extensions for every certificate.',
  rules: {
    ...BASIC_FIELDS,
    ...ENCODING,
    ...NAMES,
    ...ALTERNATIVE_NAMES,
    ...EXTENSIONS,
    ...AUTHORITIES,
    ...KEY_USAGE,
    ...KEY_IDENTIFIERS,
    ...POLICIES,
    ...LOCATIONS,
  },
} satisfies CertificateRuleSet;
