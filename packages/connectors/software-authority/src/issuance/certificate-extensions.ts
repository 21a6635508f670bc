// The extensions of a certificate under a profile. What does not depend on the request is encoded once for each profile, CA
// and type of key.
import {
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  certificatePoliciesExtension,
  crlDistributionPointsExtension,
  extensionValue,
  extKeyUsageExtension,
  freshestCrlExtension,
  keyIdentifier,
  keyUsageExtension,
  ocspNoCheckExtension,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  tlsFeatureExtension,
  type ExtensionInput,
  type KeyFamily,
  type KeyUsage,
  type PublicKey,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import type { CertificateNames } from './certificate-names.ts';

type Issuer = Pick<SigningAuthority, 'uuid' | 'keyIdentifier'>;

export interface ExtensionFacts {
  readonly issuer: Issuer;
  readonly profile: CertificateProfile;
  readonly names: CertificateNames;
  readonly publicKey: PublicKey;
}

export function certificateExtensions({
  issuer,
  profile,
  names,
  publicKey,
}: ExtensionFacts): readonly ExtensionInput[] {
  const fixed = fixedExtensions(profile, issuer, publicKey.family);
  const own = [subjectKeyIdentifierExtension(keyIdentifier(publicKey, nodeCrypto.digest))];
  // Critical exactly when the subject is empty (RFC 5280 §4.2.1.6).
  if (names.altNames.length > 0) own.push(subjectAltNameExtension(names.altNames, names.subject.rdns.length === 0));
  return [...fixed, ...own];
}

const encoded = new WeakMap<CertificateProfile, Map<string, readonly ExtensionInput[]>>();

function fixedExtensions(profile: CertificateProfile, issuer: Issuer, family: KeyFamily): readonly ExtensionInput[] {
  const known = encoded.get(profile) ?? new Map<string, readonly ExtensionInput[]>();
  encoded.set(profile, known);
  const id = `${issuer.uuid} ${family}`;
  const found = known.get(id);
  if (found) return found;
  const extensions = describeFixed(profile, issuer, family).map((extension) => ({
    oid: extension.oid,
    critical: extension.critical,
    value: extensionValue(extension),
  }));
  known.set(id, extensions);
  return extensions;
}

function describeFixed(profile: CertificateProfile, issuer: Issuer, family: KeyFamily): readonly ExtensionInput[] {
  const { ca, urls } = profile;
  const usages = usagesFor(profile.keyUsages, family);
  return [
    basicConstraintsExtension(ca ? { ca: true, pathLength: ca.pathLength } : { ca: false }),
    ...(usages.length > 0 ? [keyUsageExtension(usages)] : []),
    ...(profile.extendedKeyUsages.length > 0 ? [extKeyUsageExtension(profile.extendedKeyUsages)] : []),
    authorityKeyIdentifierExtension(issuer.keyIdentifier),
    ...(urls.crl.length > 0 ? [crlDistributionPointsExtension(urls.crl)] : []),
    ...(urls.deltaCrl.length > 0 ? [freshestCrlExtension(urls.deltaCrl)] : []),
    ...(urls.ocsp.length + urls.caIssuers.length > 0 ? [authorityInfoAccessExtension(urls)] : []),
    ...(profile.policies.length > 0 ? [certificatePoliciesExtension(profile.policies)] : []),
    ...(profile.ocspNoCheck ? [ocspNoCheckExtension()] : []),
    ...(profile.mustStaple ? [tlsFeatureExtension()] : []),
  ];
}

const ENCIPHERMENT: ReadonlySet<KeyUsage> = new Set(['keyEncipherment', 'dataEncipherment']);
const AGREEMENT: ReadonlySet<KeyUsage> = new Set(['keyAgreement', 'encipherOnly', 'decipherOnly']);

/**
 * The usages of a profile that a type of key can have: RSA encrypts, EC keys agree on keys (RFC 8813 §3), the others only sign
 * (RFC 8410 §5, RFC 9881 §5). So one profile serves all types.
 */
export function usagesFor(usages: readonly KeyUsage[], family: KeyFamily): readonly KeyUsage[] {
  return usages.filter((usage) => {
    if (ENCIPHERMENT.has(usage)) return family === 'RSA';
    if (AGREEMENT.has(usage)) return family === 'ECDSA';
    return true;
  });
}
