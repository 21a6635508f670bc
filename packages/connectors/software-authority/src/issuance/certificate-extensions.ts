// Extensions for a certificate issued under a profile. Extensions that do not depend on the request are encoded once
// per profile, CA and key type.
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
import { shardUrls } from '../revocation/crl-shards.ts';
import type { CertificateNames } from './certificate-names.ts';

type Issuer = Pick<SigningAuthority, 'uuid' | 'keyIdentifier'>;

export interface ExtensionFacts {
  readonly issuer: Issuer;
  readonly profile: CertificateProfile;
  readonly names: CertificateNames;
  readonly publicKey: PublicKey;
  /** The certificate's CRL partition, if the CA's CRL is partitioned. */
  readonly crlShard: number | undefined;
}

export function certificateExtensions({
  issuer,
  profile,
  names,
  publicKey,
  crlShard,
}: ExtensionFacts): readonly ExtensionInput[] {
  const fixed = fixedExtensions({ profile, issuer, crlShard }, publicKey.family);
  const own = [subjectKeyIdentifierExtension(keyIdentifier(publicKey, nodeCrypto.digest))];
  // The extension is critical if and only if the subject is empty (RFC 5280 §4.2.1.6).
  if (names.altNames.length > 0) own.push(subjectAltNameExtension(names.altNames, names.subject.rdns.length === 0));
  return [...fixed, ...own];
}

const encoded = new WeakMap<CertificateProfile, Map<string, readonly ExtensionInput[]>>();

type FixedFacts = Pick<ExtensionFacts, 'profile' | 'issuer' | 'crlShard'>;

function fixedExtensions(facts: FixedFacts, family: KeyFamily): readonly ExtensionInput[] {
  const { profile, issuer, crlShard } = facts;
  const known = encoded.get(profile) ?? new Map<string, readonly ExtensionInput[]>();
  encoded.set(profile, known);
  const id = crlShard === undefined ? `${issuer.uuid} ${family}` : `${issuer.uuid} ${family} ${crlShard}`;
  const found = known.get(id);
  if (found) return found;
  const extensions = describeFixed(facts, family).map((extension) => ({
    oid: extension.oid,
    critical: extension.critical,
    value: extensionValue(extension),
  }));
  known.set(id, extensions);
  return extensions;
}

function describeFixed({ profile, issuer, crlShard }: FixedFacts, family: KeyFamily): readonly ExtensionInput[] {
  const { ca, urls } = profile;
  const sharded = crlShard === undefined ? undefined : shardUrls(urls.crl, crlShard);
  const crlUrls = sharded ?? urls.crl;
  // Delta CRLs complement the complete CRL; for a partition, they would have a different scope (RFC 5280 §5.2.4).
  const deltaUrls = sharded ? [] : urls.deltaCrl;
  const usages = usagesFor(profile.keyUsages, family);
  return [
    basicConstraintsExtension(ca ? { ca: true, pathLength: ca.pathLength } : { ca: false }),
    ...(usages.length > 0 ? [keyUsageExtension(usages)] : []),
    ...(profile.extendedKeyUsages.length > 0 ? [extKeyUsageExtension(profile.extendedKeyUsages)] : []),
    authorityKeyIdentifierExtension(issuer.keyIdentifier),
    ...(crlUrls.length > 0 ? [crlDistributionPointsExtension(crlUrls)] : []),
    ...(deltaUrls.length > 0 ? [freshestCrlExtension(deltaUrls)] : []),
    ...(urls.ocsp.length + urls.caIssuers.length > 0 ? [authorityInfoAccessExtension(urls)] : []),
    ...(profile.policies.length > 0 ? [certificatePoliciesExtension(profile.policies)] : []),
    ...(profile.ocspNoCheck ? [ocspNoCheckExtension()] : []),
    ...(profile.mustStaple ? [tlsFeatureExtension()] : []),
  ];
}

const ENCIPHERMENT: ReadonlySet<KeyUsage> = new Set(['keyEncipherment', 'dataEncipherment']);
const AGREEMENT: ReadonlySet<KeyUsage> = new Set(['keyAgreement', 'encipherOnly', 'decipherOnly']);

/**
 * Returns the profile's key usages that a key type supports: RSA can encrypt, EC keys support key agreement (RFC 8813
 * §3), all others only sign (RFC 8410 §5, RFC 9881 §5). This lets one profile serve all key types.
 */
export function usagesFor(usages: readonly KeyUsage[], family: KeyFamily): readonly KeyUsage[] {
  return usages.filter((usage) => {
    if (ENCIPHERMENT.has(usage)) return family === 'RSA';
    if (AGREEMENT.has(usage)) return family === 'ECDSA';
    return true;
  });
}
