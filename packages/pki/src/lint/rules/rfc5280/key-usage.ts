// Key usages (RFC 5280 §4.2.1.3) and extended key usages (§4.2.1.12), and their consistency with each other and with
// the key.
import { encodeDer, namedBitsPart } from '../../../der/writer.ts';
import { equalBytes } from '../../../bytes.ts';
import { findExtension, KEY_USAGES } from '../../../x509/extensions.ts';
import { OID } from '../../../oids.ts';
import { parseDer, readNamedBits } from '../../../der/reader.ts';
import type { CertificateRules, LintSubject } from '../../certificate-rule.ts';
import { unsupportedUsages, incompatiblePurpose } from '../../usage-compatibility.ts';

const isCritical = ({ certificate }: LintSubject, oid: string): boolean | undefined =>
  findExtension(certificate.extensions, oid)?.critical;

const KEY_USAGE_RULES = {
  'ca-key-usage': {
    demand: 'A CA must have the key usage keyCertSign.',
    remedy: 'Add the key usage keyCertSign.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'error',
    field: 'extensions.keyUsage',
    appliesTo: ['authority'],
    violates: ({ certificate }) => certificate.keyUsage?.includes('keyCertSign') !== true,
  },
  'key-cert-sign-only-for-ca': {
    demand: 'Only a CA can have the key usage keyCertSign.',
    remedy: 'Omit keyCertSign, or issue a CA certificate.',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    field: 'extensions.keyUsage',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.keyUsage?.includes('keyCertSign') === true,
  },
  'key-usage-not-empty': {
    demand: 'The keyUsage extension must contain at least one usage.',
    remedy: 'Add a usage, or omit the extension.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'error',
    field: 'extensions.keyUsage',
    violates: ({ certificate }) => certificate.keyUsage?.length === 0,
  },
  'key-usage-critical': {
    demand: 'The keyUsage extension should be critical.',
    remedy: 'Mark the extension as critical.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'warning',
    field: 'extensions.keyUsage.critical',
    violates: (subject) => isCritical(subject, OID.keyUsage) === false,
  },
  'key-usage-encoding': {
    demand: 'The keyUsage extension must be encoded without trailing zero bits or undefined bits.',
    remedy: 'Encode only defined bits, and none after the last bit that is set.',
    citation: 'RFC 5280 §4.2.1.3; X.690 §11.2.2',
    severity: 'error',
    field: 'extensions.keyUsage',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.keyUsage);
      if (value === undefined) return false;
      const flags = readNamedBits(parseDer(value));
      return flags >> KEY_USAGES.length !== 0 || !equalBytes(value, encodeDer(namedBitsPart(flags)));
    },
  },
  'key-usage-fits-key': {
    demand: 'The key must support every usage in the extension.',
    remedy: 'Request only key usages that this type of key supports.',
    citation: 'RFC 3279 §2.3; RFC 8813 §3; RFC 8410 §5; RFC 9881 §5; RFC 9909 §6; RFC 9935 §5',
    severity: 'error',
    field: 'extensions.keyUsage',
    violates: ({ certificate: { publicKey, keyUsage = [] } }) => unsupportedUsages(publicKey, keyUsage),
  },
  'encipher-only-needs-key-agreement': {
    demand: 'The key usages encipherOnly and decipherOnly require keyAgreement.',
    remedy: 'Add keyAgreement, or omit encipherOnly and decipherOnly.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'warning',
    field: 'extensions.keyUsage',
    violates: ({ certificate }) => {
      const usages = certificate.keyUsage ?? [];
      const isOnly = usages.includes('encipherOnly') || usages.includes('decipherOnly');
      return isOnly && !usages.includes('keyAgreement');
    },
  },
} satisfies CertificateRules;

const PURPOSE_RULES = {
  'ext-key-usage-not-empty': {
    demand: 'The extKeyUsage extension must contain at least one purpose.',
    remedy: 'Add a purpose, or omit the extension.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    field: 'extensions.extKeyUsage',
    violates: ({ certificate }) => certificate.extKeyUsage?.length === 0,
  },
  'ext-key-usage-duplicate': {
    demand: 'The extKeyUsage extension should not contain a purpose twice.',
    remedy: 'Remove the duplicate purpose.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'warning',
    field: 'extensions.extKeyUsage',
    violates: ({ certificate }) => {
      const purposes = certificate.extKeyUsage ?? [];
      return new Set(purposes).size < purposes.length;
    },
  },
  'any-purpose-not-critical': {
    demand: 'If it contains anyExtendedKeyUsage, the extKeyUsage extension should not be critical.',
    remedy: 'Mark the extension as non-critical, or omit anyExtendedKeyUsage.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'warning',
    field: 'extensions.extKeyUsage.critical',
    violates: (subject) =>
      isCritical(subject, OID.extKeyUsage) === true &&
      subject.certificate.extKeyUsage?.includes(OID.anyExtendedKeyUsage) === true,
  },
  'purpose-fits-key-usage': {
    demand: 'Each extended key usage must have a compatible key usage.',
    remedy: 'Add a compatible key usage, or omit the extended key usage.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    field: 'extensions.extKeyUsage',
    appliesTo: ['subscriber'],
    violates: ({ certificate: { keyUsage, extKeyUsage = [] } }) =>
      keyUsage && incompatiblePurpose(extKeyUsage, keyUsage),
  },
  'time-stamping-alone': {
    demand: 'A time-stamping certificate must have a critical extKeyUsage extension with only that purpose.',
    remedy: 'Omit all other purposes, and mark the extension as critical.',
    citation: 'RFC 3161 §2.3',
    severity: 'error',
    field: 'extensions.extKeyUsage',
    appliesTo: ['timeStamper'],
    violates: (subject) =>
      subject.certificate.extKeyUsage?.length !== 1 || isCritical(subject, OID.extKeyUsage) !== true,
  },
} satisfies CertificateRules;

export const KEY_USAGE = {
  ...KEY_USAGE_RULES,
  ...PURPOSE_RULES,
} satisfies CertificateRules;
