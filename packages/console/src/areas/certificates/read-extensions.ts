// The extensions of a certificate (RFC 5280 §4.2), without those that the platform answers itself. Loaded with the page
// of a certificate.
import { OID, readCertificate, toHex, visibleText, type BasicConstraints, type Certificate } from '@signetry/pki';
import { colonPairs } from '../../format/names.ts';

export interface ExtensionFact {
  readonly name: string;
  readonly value: string;
  readonly code?: boolean;
  /** The form that is copied. */
  readonly copy?: string;
}

/** From Base64 of DER. */
export function readExtensionFacts(content: string): readonly ExtensionFact[] {
  const certificate = readCertificate(content);
  const { basicConstraints, subjectKeyIdentifier, authorityKeyIdentifier, certificatePolicies } = certificate;
  return [
    ...fact('Type', basicConstraints ? [kindOf(basicConstraints)] : []),
    ...identifier('Subject key identifier', subjectKeyIdentifier),
    ...identifier('Authority key identifier', authorityKeyIdentifier?.keyIdentifier),
    ...addresses('CRL', certificate.crlUrls),
    ...addresses('Delta CRL', certificate.freshestCrlUrls),
    ...addresses('OCSP', certificate.ocspUrls),
    ...addresses('Issuer certificate', certificate.caIssuersUrls),
    ...fact(
      'Policies',
      certificatePolicies.map(({ oid, cpsUrls }) => visibleText([oid, ...cpsUrls].join(' '))),
    ),
    ...fact('Critical', criticalOnes(certificate)),
    ...fact('Other extensions', otherOnes(certificate)),
  ];
}

const fact = (name: string, lines: readonly string[]): ExtensionFact[] =>
  lines.length === 0 ? [] : [{ name, value: lines.join('\n') }];

const addresses = (name: string, urls: readonly string[]): ExtensionFact[] =>
  urls.length === 0 ? [] : [{ name, value: urls.map(visibleText).join('\n'), copy: urls.join('\n') }];

const identifier = (name: string, octets: Uint8Array | undefined): ExtensionFact[] => {
  if (!octets) return [];
  const hex = toHex(octets);
  return [{ name, value: colonPairs(hex), code: true, copy: hex }];
};

const kindOf = ({ ca, pathLength }: BasicConstraints): string => {
  if (!ca) return 'End entity (cannot issue certificates)';
  if (pathLength === undefined) return 'CA';
  return pathLength === 0 ? 'CA that cannot issue CA certificates' : `CA with at most ${pathLength} CAs below it`;
};

/** Extensions that the platform answers itself, or that have a line of their own. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [OID.basicConstraints, 'Type'],
  [OID.subjectAltName, 'Alternative names'],
  [OID.keyUsage, 'Key usage'],
  [OID.extKeyUsage, 'Extended key usage'],
  [OID.subjectKeyIdentifier, 'Subject key identifier'],
  [OID.authorityKeyIdentifier, 'Authority key identifier'],
  [OID.crlDistributionPoints, 'CRL'],
  [OID.freshestCrl, 'Delta CRL'],
  [OID.authorityInfoAccess, 'OCSP and issuer certificate'],
  [OID.certificatePolicies, 'Policies'],
]);

/** Extensions without a line of their own that have a well-known name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  [OID.tlsFeature, 'Must-staple'],
  [OID.ocspNoCheck, 'OCSP responder without revocation checking'],
  [OID.nameConstraints, 'Name constraints'],
]);

const nameOf = (oid: string): string => NAMES.get(oid) ?? OTHER_NAMES.get(oid) ?? oid;

/** A certificate with an unrecognized critical extension must be rejected (RFC 5280 §4.2). */
const criticalOnes = ({ extensions }: Certificate): readonly string[] => {
  const names = extensions.filter(({ critical }) => critical).map(({ oid }) => nameOf(oid));
  return names.length === 0 ? [] : [names.join(', ')];
};

const otherOnes = ({ extensions }: Certificate): readonly string[] =>
  extensions.filter(({ oid }) => !NAMES.has(oid)).map(({ oid }) => nameOf(oid));
