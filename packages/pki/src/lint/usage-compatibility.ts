// Compatibility of key usages with keys, and of extended key usages with key usages.
import { OID } from '../oids.ts';
import type { KeyFamily, PublicKey } from '../keys.ts';
import type { KeyUsage } from '../x509/extensions.ts';

const ENCRYPTING: readonly KeyUsage[] = ['keyEncipherment', 'dataEncipherment'];
const AGREEING: readonly KeyUsage[] = ['keyAgreement', 'encipherOnly', 'decipherOnly'];
const SIGNING: readonly KeyUsage[] = ['digitalSignature', 'nonRepudiation', 'keyCertSign', 'cRLSign'];

/**
 * Usages that a key can never support: RFC 8813 §3, RFC 8410 §5, RFC 9881 §5, RFC 9909 §6, RFC 9935 §5, RFC 3279 §2.3.
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
  Composite: [...ENCRYPTING, ...AGREEING],
  'HashML-DSA': [...ENCRYPTING, ...AGREEING],
  'HashSLH-DSA': [...ENCRYPTING, ...AGREEING],
  'ML-KEM': ['dataEncipherment', ...AGREEING, ...SIGNING],
  Unknown: [],
};

/** Key usages, at least one of which is required by an extended key usage (RFC 5280 §4.2.1.12). */
const PURPOSE_USAGES: ReadonlyMap<string, readonly KeyUsage[]> = new Map<string, readonly KeyUsage[]>([
  [OID.serverAuth, ['digitalSignature', 'keyEncipherment', 'keyAgreement']],
  [OID.clientAuth, ['digitalSignature', 'keyAgreement']],
  [OID.codeSigning, ['digitalSignature']],
  [OID.emailProtection, ['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'keyAgreement']],
  [OID.timeStamping, ['digitalSignature', 'nonRepudiation']],
  [OID.ocspSigning, ['digitalSignature', 'nonRepudiation']],
]);

/** Returns a sentence about the usages that the key does not support, or undefined if it supports all of them. */
export function unsupportedUsages({ family, name }: PublicKey, usages: readonly KeyUsage[]): string | undefined {
  const impossible = usages.filter((usage) => IMPOSSIBLE_USAGES[family].includes(usage));
  return impossible.length > 0 ? `A key of type ${name} does not support ${impossible.join(', ')}.` : undefined;
}

/**
 * Returns a sentence about the first extended key usage without a compatible key usage, or undefined if there is none.
 */
export function incompatiblePurpose(purposes: readonly string[], usages: readonly KeyUsage[]): string | undefined {
  const unusable = purposes.find((purpose) => {
    const needed = PURPOSE_USAGES.get(purpose);
    return needed !== undefined && !needed.some((usage) => usages.includes(usage));
  });
  return unusable && `No key usage is compatible with the extended key usage ${unusable}.`;
}
