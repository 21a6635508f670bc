// Key usages (RFC 5280 §4.2.1.3) and purposes (§4.2.1.12): whether they agree with each other and with the key.
import { encodeDer, namedBitsPart } from '../../der/writer.ts';
import { equalBytes } from '../../bytes.ts';
import { findExtension, KEY_USAGES, type KeyUsage } from '../../x509/extensions.ts';
import { OID } from '../../oids.ts';
import { parseDer, readNamedBits } from '../../der/reader.ts';
import type { CertificateRuleGroup, LintSubject } from '../certificate-rule.ts';
import type { KeyFamily } from '../../keys.ts';

const ENCRYPTING: readonly KeyUsage[] = ['keyEncipherment', 'dataEncipherment'];
const AGREEING: readonly KeyUsage[] = ['keyAgreement', 'encipherOnly', 'decipherOnly'];
const SIGNING: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation', 'keyCertSign', 'cRLSign'];

/**
 * Usages that a key can never serve: RFC 8813 §3, RFC 8410 §5, RFC 9881 §5, RFC 9909 §6, RFC 9935 §5, RFC 3279 §2.3.
 */
const IMPOSSIBLE_USAGES: Readonly<Record<KeyFamily, readonly KeyUsage[]>> = {
  RSA: AGREEING,
  ECDSA: ENCRYPTING,
  DSA: [...ENCRYPTING, ...AGREEING],
  DH: [...ENCRYPTING, ...SIGNING],
  Ed25519: [...ENCRYPTING, ...AGREEING],
  Ed448: [...ENCRYPTING, ...AGREEING],
  X25519: [...ENCRYPTING, ...SIGNING],
  X448: [...ENCRYPTING, ...SIGNING],
  'ML-DSA': [...ENCRYPTING, ...AGREEING],
  'SLH-DSA': [...ENCRYPTING, ...AGREEING],
  'ML-KEM': ['dataEncipherment', ...AGREEING, ...SIGNING],
  Unknown: [],
};

/** Key usages of which a purpose needs at least one (RFC 5280 §4.2.1.12). */
const PURPOSE_USAGES: ReadonlyMap<string, readonly KeyUsage[]> = new Map<string, readonly KeyUsage[]>([
  [OID.serverAuth, ['digitalSignature', 'keyEncipherment', 'keyAgreement']],
  [OID.clientAuth, ['digitalSignature', 'keyAgreement']],
  [OID.codeSigning, ['digitalSignature']],
  [OID.emailProtection, ['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'keyAgreement']],
  [OID.timeStamping, ['digitalSignature', 'nonRepudiation']],
  [OID.ocspSigning, ['digitalSignature', 'nonRepudiation']],
]);

const isCritical = ({ certificate }: LintSubject, oid: string): boolean | undefined =>
  findExtension(certificate.extensions, oid)?.critical;

const KEY_USAGE_RULES = {
  'ca-key-usage': {
    demand: 'A CA must have the key usage keyCertSign.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'error',
    appliesTo: ['authority'],
    violates: ({ certificate }) => certificate.keyUsage?.includes('keyCertSign') !== true,
  },
  'key-cert-sign-only-for-ca': {
    demand: 'Only a CA may have the key usage keyCertSign.',
    citation: 'RFC 5280 §4.2.1.9',
    severity: 'error',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => certificate.keyUsage?.includes('keyCertSign') === true,
  },
  'key-usage-not-empty': {
    demand: 'The keyUsage extension must allow at least one usage.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'error',
    violates: ({ certificate }) => certificate.keyUsage?.length === 0,
  },
  'key-usage-critical': {
    demand: 'The keyUsage extension should be critical.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'warning',
    violates: (subject) => isCritical(subject, OID.keyUsage) === false,
  },
  'key-usage-encoding': {
    demand: 'The keyUsage extension must be encoded without trailing zero bits and without undefined bits.',
    citation: 'RFC 5280 §4.2.1.3; X.690 §11.2.2',
    severity: 'error',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.keyUsage);
      if (value === undefined) return false;
      const flags = readNamedBits(parseDer(value));
      return flags >> KEY_USAGES.length !== 0 || !equalBytes(value, encodeDer(namedBitsPart(flags)));
    },
  },
  'key-usage-fits-key': {
    demand: 'The key must be able to serve every usage that the extension allows.',
    citation: 'RFC 3279 §2.3; RFC 8813 §3; RFC 8410 §5; RFC 9881 §5; RFC 9909 §6; RFC 9935 §5',
    severity: 'error',
    violates: ({ certificate }) => {
      const { family, name } = certificate.publicKey;
      const impossible = (certificate.keyUsage ?? []).filter((usage) => IMPOSSIBLE_USAGES[family].includes(usage));
      return impossible.length > 0 && `A key of type ${name} cannot serve ${impossible.join(', ')}.`;
    },
  },
  'encipher-only-needs-key-agreement': {
    demand: 'The key usages encipherOnly and decipherOnly have no meaning without keyAgreement.',
    citation: 'RFC 5280 §4.2.1.3',
    severity: 'warning',
    violates: ({ certificate }) => {
      const usages = certificate.keyUsage ?? [];
      const isOnly = usages.includes('encipherOnly') || usages.includes('decipherOnly');
      return isOnly && !usages.includes('keyAgreement');
    },
  },
} satisfies CertificateRuleGroup['rules'];

const PURPOSE_RULES = {
  'ext-key-usage-not-empty': {
    demand: 'The extKeyUsage extension must name at least one purpose.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    violates: ({ certificate }) => certificate.extKeyUsage?.length === 0,
  },
  'ext-key-usage-duplicate': {
    demand: 'The extKeyUsage extension should not name a purpose twice.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'warning',
    violates: ({ certificate }) => {
      const purposes = certificate.extKeyUsage ?? [];
      return new Set(purposes).size < purposes.length;
    },
  },
  'any-purpose-not-critical': {
    demand: 'With anyExtendedKeyUsage, the extKeyUsage extension should not be critical.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'warning',
    violates: (subject) =>
      isCritical(subject, OID.extKeyUsage) === true &&
      subject.certificate.extKeyUsage?.includes(OID.anyExtendedKeyUsage) === true,
  },
  'purpose-fits-key-usage': {
    demand: 'Each purpose needs a key usage that serves it.',
    citation: 'RFC 5280 §4.2.1.12',
    severity: 'error',
    appliesTo: ['subscriber'],
    violates: ({ certificate: { keyUsage, extKeyUsage } }) => {
      if (keyUsage === undefined) return false;
      const unusable = extKeyUsage?.find((purpose) => {
        const needed = PURPOSE_USAGES.get(purpose);
        return needed !== undefined && !needed.some((usage) => keyUsage.includes(usage));
      });
      return unusable && `No key usage allows the purpose ${unusable}.`;
    },
  },
  'time-stamping-alone': {
    demand: 'A time-stamping certificate needs a critical extKeyUsage extension with that purpose alone.',
    citation: 'RFC 3161 §2.3',
    severity: 'warning',
    appliesTo: ['timeStamper'],
    violates: (subject) =>
      subject.certificate.extKeyUsage?.length !== 1 || isCritical(subject, OID.extKeyUsage) !== true,
  },
} satisfies CertificateRuleGroup['rules'];

export const KEY_USAGE = {
  name: 'Key usage',
  description: 'Key usages and purposes, and whether the key can serve them',
  rules: { ...KEY_USAGE_RULES, ...PURPOSE_RULES },
} satisfies CertificateRuleGroup;
