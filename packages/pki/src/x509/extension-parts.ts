// Extension builders (RFC 5280 §4.2): one function per extension, each with the criticality that its section requires.
import {
  bitStringPart,
  booleanPart,
  constructed,
  encodeDer,
  ia5StringPart,
  implicitConstructed,
  implicitPrimitive,
  integerPart,
  namedBitsPart,
  nullPart,
  octetStringOf,
  octetStringPart,
  oidPart,
  primitive,
  sequence,
  type DerNode,
  type DerPart,
} from '../der/writer.ts';
import { KEY_USAGES, type Extension, type KeyUsage } from './extensions.ts';
import { PkiError } from '../errors.ts';
import { OID } from '../oids.ts';
import { generalNamePart, type GeneralName } from './general-names.ts';
import type { Digest } from '../crypto.ts';
import type { PublicKey } from '../keys.ts';

/** An extension with a value to encode. Parsed `Extension` objects are also accepted. */
export type ExtensionInput = Extension | { readonly oid: string; readonly critical: boolean; readonly part: DerPart };

/** Returns the encoded value of an extension. */
export function extensionValue(extension: ExtensionInput): Uint8Array {
  return 'value' in extension ? extension.value : encodeDer(extension.part);
}

/** Builds an Extensions SEQUENCE. `critical` is encoded only if true (X.690 §11.5). Throws if an OID is repeated. */
export function extensionsPart(extensions: readonly ExtensionInput[]): DerNode {
  const seen = new Set<string>();
  return sequence(
    extensions.map((extension) => {
      if (seen.has(extension.oid))
        throw new PkiError('bad-argument', `The extension ${extension.oid} must not be specified twice.`);
      seen.add(extension.oid);
      return sequence([
        oidPart(extension.oid),
        extension.critical ? booleanPart(true) : undefined,
        'value' in extension ? octetStringPart(extension.value) : octetStringOf(extension.part),
      ]);
    }),
  );
}

/**
 * Builds a critical basicConstraints extension (RFC 5280 §4.2.1.9). For end entities, the value is an empty SEQUENCE.
 * Throws if a path length is specified without `ca`.
 */
export function basicConstraintsExtension(constraints: { ca: boolean; pathLength?: number }): ExtensionInput {
  const { ca, pathLength } = constraints;
  if (pathLength !== undefined && (!ca || !Number.isInteger(pathLength) || pathLength < 0)) {
    throw new PkiError('bad-argument', 'A path length must be a whole number and is only allowed for a CA.');
  }
  return {
    oid: OID.basicConstraints,
    critical: true,
    part: sequence([
      ca ? booleanPart(true) : undefined,
      pathLength === undefined ? undefined : integerPart(pathLength),
    ]),
  };
}

/** Builds a critical keyUsage extension (RFC 5280 §4.2.1.3). At least one bit must be set. */
export function keyUsageExtension(usages: readonly KeyUsage[]): ExtensionInput {
  if (usages.length === 0) throw new PkiError('bad-argument', 'A keyUsage extension must contain at least one usage.');
  let flags = 0;
  for (const usage of usages) flags |= 1 << KEY_USAGES.indexOf(usage);
  return { oid: OID.keyUsage, critical: true, part: namedBitsPart(flags) };
}

/** Builds an extKeyUsage extension (RFC 5280 §4.2.1.12), which is non-critical by default. */
export function extKeyUsageExtension(purposes: readonly string[], critical = false): ExtensionInput {
  if (purposes.length === 0)
    throw new PkiError('bad-argument', 'An extKeyUsage extension must contain at least one purpose.');
  return { oid: OID.extKeyUsage, critical, part: sequence(purposes.map(oidPart)) };
}

/**
 * Builds a subjectAltName extension (RFC 5280 §4.2.1.6). It must be critical if, and only if, the subject is empty,
 * which only the caller knows.
 */
export function subjectAltNameExtension(names: readonly GeneralName[], critical = false): ExtensionInput {
  if (names.length === 0)
    throw new PkiError('bad-argument', 'A subjectAltName extension must contain at least one name.');
  return { oid: OID.subjectAltName, critical, part: sequence(names.map(generalNamePart)) };
}

/** RFC 5280 §4.2.1.7. */
export function issuerAltNameExtension(names: readonly GeneralName[]): ExtensionInput {
  if (names.length === 0)
    throw new PkiError('bad-argument', 'An issuerAltName extension must contain at least one name.');
  return { oid: OID.issuerAltName, critical: false, part: sequence(names.map(generalNamePart)) };
}

/**
 * Returns the SHA-1 of the key's BIT STRING contents: method 1 of RFC 5280 §4.2.1.2. It is an identifier, not a
 * security measure.
 */
export function keyIdentifier(key: PublicKey, digest: Digest): Uint8Array {
  return digest('sha1', key.keyBytes);
}

/** Returns the leftmost 160 bits of SHA-256: method 1 of RFC 7093 §2, to avoid SHA-1 entirely. */
export function keyIdentifierSha256(key: PublicKey, digest: Digest): Uint8Array {
  return digest('sha256', key.keyBytes).subarray(0, 20);
}

/** RFC 5280 §4.2.1.2. */
export function subjectKeyIdentifierExtension(identifier: Uint8Array): ExtensionInput {
  return { oid: OID.subjectKeyIdentifier, critical: false, part: octetStringPart(identifier) };
}

/**
 * Builds an authorityKeyIdentifier extension (RFC 5280 §4.2.1.1) with the key identifier only: an issuer and serial
 * number would tie it to a single issuer certificate.
 */
export function authorityKeyIdentifierExtension(identifier: Uint8Array): ExtensionInput {
  return { oid: OID.authorityKeyIdentifier, critical: false, part: sequence([implicitPrimitive(0, identifier)]) };
}

function urlPart(url: string): DerNode {
  return ia5StringPart(url, 0x86);
}

function distributionPointsPart(urls: readonly string[]): DerPart {
  if (urls.length === 0) throw new PkiError('bad-argument', 'A distribution point must contain a URL.');
  return sequence([sequence([distributionPointNamePart(urls)])]);
}

/**
 * Builds a cRLDistributionPoints extension (RFC 5280 §4.2.1.13) with one distribution point; multiple URLs are
 * alternatives for the same CRL.
 */
export function crlDistributionPointsExtension(urls: readonly string[]): ExtensionInput {
  return { oid: OID.crlDistributionPoints, critical: false, part: distributionPointsPart(urls) };
}

/** Builds a freshestCRL extension with delta CRL URLs (RFC 5280 §4.2.1.15). */
export function freshestCrlExtension(urls: readonly string[]): ExtensionInput {
  return { oid: OID.freshestCrl, critical: false, part: distributionPointsPart(urls) };
}

/** Builds an authorityInfoAccess extension (RFC 5280 §4.2.2.1). Throws if both lists are empty. */
export function authorityInfoAccessExtension(urls: {
  ocsp?: readonly string[];
  caIssuers?: readonly string[];
}): ExtensionInput {
  const describe = (method: string) => (url: string) => sequence([oidPart(method), urlPart(url)]);
  const parts = [...(urls.ocsp ?? []).map(describe(OID.ocsp)), ...(urls.caIssuers ?? []).map(describe(OID.caIssuers))];
  if (parts.length === 0) throw new PkiError('bad-argument', 'An authorityInfoAccess extension must contain a URL.');
  return { oid: OID.authorityInfoAccess, critical: false, part: sequence(parts) };
}

export interface PolicyInput {
  readonly oid: string;
  readonly cpsUrl?: string;
}

/** RFC 5280 §4.2.1.4. */
export function certificatePoliciesExtension(policies: readonly PolicyInput[]): ExtensionInput {
  if (policies.length === 0)
    throw new PkiError('bad-argument', 'A certificatePolicies extension must contain a policy.');
  const part = sequence(
    policies.map(({ oid, cpsUrl }) =>
      sequence([
        oidPart(oid),
        cpsUrl === undefined ? undefined : sequence([sequence([oidPart(OID.cpsQualifier), ia5StringPart(cpsUrl)])]),
      ]),
    ),
  );
  return { oid: OID.certificatePolicies, critical: false, part };
}

/** Builds a critical nameConstraints extension (RFC 5280 §4.2.1.10). Throws if both lists are empty. */
export function nameConstraintsExtension(subtrees: {
  permitted?: readonly GeneralName[];
  excluded?: readonly GeneralName[];
}): ExtensionInput {
  const subtreesPart = (number: number, names: readonly GeneralName[] = []): DerNode | undefined =>
    names.length === 0
      ? undefined
      : implicitConstructed(
          number,
          names.map((name) => sequence([generalNamePart(name)])),
        );
  const permitted = subtreesPart(0, subtrees.permitted);
  const excluded = subtreesPart(1, subtrees.excluded);
  if (permitted === undefined && excluded === undefined) {
    throw new PkiError('bad-argument', 'A nameConstraints extension must contain a subtree.');
  }
  return { oid: OID.nameConstraints, critical: true, part: sequence([permitted, excluded]) };
}

/** Builds a critical policyConstraints extension (RFC 5280 §4.2.1.11). */
export function policyConstraintsExtension(constraints: {
  requireExplicitPolicy?: number;
  inhibitPolicyMapping?: number;
}): ExtensionInput {
  const { requireExplicitPolicy, inhibitPolicyMapping } = constraints;
  const skipCountPart = (number: number, value: number | undefined): DerNode | undefined =>
    value === undefined ? undefined : integerPart(value, 0x80 | number);
  return {
    oid: OID.policyConstraints,
    critical: true,
    part: sequence([skipCountPart(0, requireExplicitPolicy), skipCountPart(1, inhibitPolicyMapping)]),
  };
}

/** Builds a critical inhibitAnyPolicy extension (RFC 5280 §4.2.1.14). */
export function inhibitAnyPolicyExtension(skipCertificates: number): ExtensionInput {
  return { oid: OID.inhibitAnyPolicy, critical: true, part: integerPart(skipCertificates) };
}

/**
 * Builds an id-pkix-ocsp-nocheck extension: revocation of this responder certificate does not need to be checked (RFC
 * 6960 §4.2.2.2.1).
 */
export function ocspNoCheckExtension(): ExtensionInput {
  return { oid: OID.ocspNoCheck, critical: false, part: nullPart() };
}

/** Builds a TLS feature extension (RFC 7633) with feature numbers, usually [5] for OCSP Must-Staple. */
export function tlsFeatureExtension(features: readonly number[] = [5]): ExtensionInput {
  return { oid: OID.tlsFeature, critical: false, part: sequence(features.map((feature) => integerPart(feature))) };
}

/**
 * Builds a critical acmeIdentifier extension for tls-alpn-01, with the SHA-256 of the key authorization (RFC 8737 §3).
 */
export function acmeIdentifierExtension(keyAuthorizationDigest: Uint8Array): ExtensionInput {
  return { oid: OID.acmeIdentifier, critical: true, part: octetStringPart(keyAuthorizationDigest) };
}

/**
 * Builds the extension for a hybrid certificate's alternative key (X.509 2019 §9.8): the unchanged
 * SubjectPublicKeyInfo.
 */
export function subjectAltPublicKeyExtension(spki: Uint8Array): ExtensionInput {
  return { oid: OID.subjectAltPublicKeyInfo, critical: false, part: spki };
}

/** Builds the extension for a hybrid certificate's alternative signature algorithm. */
export function altSignatureAlgorithmExtension(algorithm: Uint8Array): ExtensionInput {
  return { oid: OID.altSignatureAlgorithm, critical: false, part: algorithm };
}

/** Builds the extension for a hybrid certificate's alternative signature. */
export function altSignatureValueExtension(signature: Uint8Array): ExtensionInput {
  return { oid: OID.altSignatureValue, critical: false, part: bitStringPart(signature) };
}

/** Builds an extension for which this package has no function. */
export function customExtension(oid: string, options: { critical: boolean; value: Uint8Array }): ExtensionInput {
  return { oid, critical: options.critical, value: options.value };
}

/** Returns a DistributionPointName with one or more URLs under its EXPLICIT tag [0]. */
export function distributionPointNamePart(urls: readonly string[]): DerNode {
  return constructed(0xa0, [implicitConstructed(0, urls.map(urlPart))]);
}

/** Returns an IMPLICIT BOOLEAN TRUE, for issuingDistributionPoint. */
export function implicitTrue(number: number): DerNode {
  return primitive(0x80 | number, Uint8Array.of(0xff));
}
