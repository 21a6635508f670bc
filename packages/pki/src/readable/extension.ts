// Readable form of every extension, by name and value. If a value cannot be decoded, the extension is shown with the
// reason and its bytes, so that it never prevents the rest of the certificate from being read. Decisions must use the
// decoders in x509/, which throw.
import * as microsoft from './microsoft.ts';
import * as others from './others.ts';
import * as policies from './policies.ts';
import * as standard from './standard.ts';
import { DerError, PkiError } from '../errors.ts';
import { OID } from '../oids.ts';
import { readableStatements } from './qualified.ts';
import { readableTimestamps } from './transparency.ts';
import type { Extension } from '../x509/extensions.ts';
import type { ReadableValue } from './value.ts';

export interface ReadableExtension {
  readonly oid: string;
  /** Absent for extensions without a well-known name. */
  readonly name?: string;
  readonly critical: boolean;
  /** Decoded values; empty if the extension is unknown or cannot be decoded. */
  readonly values: readonly ReadableValue[];
  /** Bytes of a value that is unknown or cannot be decoded. */
  readonly hex?: string;
  /** Why the value cannot be decoded. `offset` is in bytes from the start of the value. */
  readonly problem?: { readonly message: string; readonly offset?: number };
}

type Reader = (value: Uint8Array) => readonly ReadableValue[];

interface KnownExtension {
  readonly name: string;
  /** Absent for extensions for which only the name is known. */
  readonly read?: Reader;
}

const knownExtension = (name: string, read?: Reader): KnownExtension =>
  read === undefined ? { name } : { name, read };

const KNOWN: ReadonlyMap<string, KnownExtension> = new Map([
  // RFC 5280 §4.2, RFC 9608
  [OID.authorityKeyIdentifier, knownExtension('Authority key identifier', standard.readableAuthorityKeyIdentifier)],
  [OID.subjectKeyIdentifier, knownExtension('Subject key identifier', standard.readableSubjectKeyIdentifier)],
  [OID.keyUsage, knownExtension('Key usage', standard.readableKeyUsage)],
  [OID.extKeyUsage, knownExtension('Extended key usage', standard.readablePurposes)],
  [OID.subjectAltName, knownExtension('Subject alternative names', standard.readableAltNames)],
  [OID.issuerAltName, knownExtension('Issuer alternative names', standard.readableAltNames)],
  [OID.basicConstraints, knownExtension('Basic constraints', standard.readableBasicConstraints)],
  [OID.nameConstraints, knownExtension('Name constraints', standard.readableNameConstraints)],
  [OID.certificatePolicies, knownExtension('Certificate policies', policies.readablePolicies)],
  [OID.policyMappings, knownExtension('Policy mappings', policies.readableMappings)],
  [OID.policyConstraints, knownExtension('Policy constraints', policies.readablePolicyConstraints)],
  [OID.inhibitAnyPolicy, knownExtension('Inhibit anyPolicy', policies.readableInhibitAnyPolicy)],
  [OID.crlDistributionPoints, knownExtension('CRL distribution points', standard.readableDistributionPoints)],
  [OID.freshestCrl, knownExtension('Freshest CRL', standard.readableDistributionPoints)],
  [OID.authorityInfoAccess, knownExtension('Authority information access', standard.readableInfoAccess)],
  [OID.subjectInfoAccess, knownExtension('Subject information access', standard.readableInfoAccess)],
  [OID.privateKeyUsagePeriod, knownExtension('Private key usage period', standard.readablePrivateKeyUsagePeriod)],
  [
    OID.subjectDirectoryAttributes,
    knownExtension('Subject directory attributes', standard.readableDirectoryAttributes),
  ],
  [
    '2.5.29.56',
    knownExtension('No revocation information', others.readablePresence('The certificate is never revoked')),
  ],

  // Certificate Transparency, TLS, OCSP, ACME
  [OID.ctSctList, knownExtension('Signed certificate timestamps', readableTimestamps)],
  [
    OID.ctPrecertificatePoison,
    knownExtension('Precertificate poison', others.readablePresence('Precertificate, not valid for use')),
  ],
  [OID.tlsFeature, knownExtension('TLS features', others.readableTlsFeatures)],
  [
    OID.ocspNoCheck,
    knownExtension('OCSP no check', others.readablePresence('Revocation of this certificate is not checked')),
  ],
  [OID.acmeIdentifier, knownExtension('ACME identifier', others.readableAcmeIdentifier)],
  [
    '1.3.6.1.4.1.44363.44',
    knownExtension('Delegated credentials', others.readablePresence('Can sign delegated credentials')),
  ],

  // Qualified certificates, CA/Browser Forum, S/MIME
  [OID.qcStatements, knownExtension('Qualified certificate statements', readableStatements)],
  ['2.23.140.3.1', knownExtension('Organization identifier', others.readableOrganizationIdentifier)],
  ['1.2.840.113549.1.9.15', knownExtension('S/MIME capabilities', others.readableCapabilities)],

  // Microsoft
  ['1.3.6.1.4.1.311.20.2', knownExtension('Microsoft certificate template name', microsoft.readableTemplateName)],
  ['1.3.6.1.4.1.311.21.7', knownExtension('Microsoft certificate template', microsoft.readableTemplate)],
  ['1.3.6.1.4.1.311.21.1', knownExtension('Microsoft CA version', microsoft.readableCaVersion)],
  ['1.3.6.1.4.1.311.21.2', knownExtension('Microsoft previous CA certificate', microsoft.readablePreviousHash)],
  ['1.3.6.1.4.1.311.21.10', knownExtension('Microsoft application policies', policies.readablePolicies)],
  ['1.3.6.1.4.1.311.21.11', knownExtension('Microsoft application policy mappings', policies.readableMappings)],
  [
    '1.3.6.1.4.1.311.21.12',
    knownExtension('Microsoft application policy constraints', policies.readablePolicyConstraints),
  ],
  [OID.ntdsCaSecurity, knownExtension('Microsoft account security', microsoft.readableAccountSecurity)],

  // Netscape
  ['2.16.840.1.113730.1.1', knownExtension('Netscape certificate type', others.readableNetscapeType)],
  ['2.16.840.1.113730.1.2', knownExtension('Netscape base URL', others.readableAddress('URL'))],
  ['2.16.840.1.113730.1.3', knownExtension('Netscape revocation URL', others.readableAddress('URL'))],
  ['2.16.840.1.113730.1.4', knownExtension('Netscape CA revocation URL', others.readableAddress('URL'))],
  ['2.16.840.1.113730.1.7', knownExtension('Netscape renewal URL', others.readableAddress('URL'))],
  ['2.16.840.1.113730.1.8', knownExtension('Netscape CA policy URL', others.readableAddress('URL'))],
  ['2.16.840.1.113730.1.12', knownExtension('Netscape server name', others.readableText('Name'))],
  ['2.16.840.1.113730.1.13', knownExtension('Netscape comment', others.readableText('Comment'))],

  // Hybrid certificates (X.509 2019)
  [OID.subjectAltPublicKeyInfo, knownExtension('Alternative public key', others.readableAltKey)],
  [OID.altSignatureAlgorithm, knownExtension('Alternative signature algorithm', others.readableAltAlgorithm)],
  [OID.altSignatureValue, knownExtension('Alternative signature', others.readableAltSignature)],

  // Known by name only
  ['1.3.6.1.5.5.7.1.2', knownExtension('Biometric information')],
  ['1.3.6.1.5.5.7.1.7', knownExtension('IP address blocks')],
  ['1.3.6.1.5.5.7.1.8', knownExtension('Autonomous system identifiers')],
  ['1.3.6.1.5.5.7.1.12', knownExtension('Logotypes')],
  ['1.3.6.1.5.5.7.1.14', knownExtension('Proxy certificate information')],
  ['1.3.6.1.5.5.7.1.26', knownExtension('Telephone number authorization')],
  ['1.2.840.113533.7.65.0', knownExtension('Entrust version')],
  ['2.16.840.1.113730.1.9', knownExtension('Netscape certificate sequence')],
]);

/** Decodes an extension. Never throws: errors are returned in `problem`. */
export function readableExtension({ oid, critical, value }: Extension): ReadableExtension {
  const { name, read } = KNOWN.get(oid) ?? {};
  const facts = { oid, ...(name === undefined ? {} : { name }), critical };
  if (read === undefined) return { ...facts, values: [], hex: value.toHex() };
  try {
    return { ...facts, values: read(value) };
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    const offset = error instanceof DerError ? { offset: error.offset } : {};
    return { ...facts, values: [], hex: value.toHex(), problem: { message: error.message, ...offset } };
  }
}
