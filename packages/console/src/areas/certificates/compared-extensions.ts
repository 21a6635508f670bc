// Certificate extensions for comparison: common ones in readable form, all others as encoded. Loaded together with the
// comparison page.
import { OID, readCertificate, toHex, visibleText } from '@signetry/pki';
import { colonPairs } from '../../format/names.ts';

export interface ExtensionLine {
  readonly name: string;
  readonly value: string;
  readonly code?: boolean;
}

/**
 * Reads the extensions of a Base64-encoded DER certificate. Names, usages and key identifiers are each shown on a
 * separate line.
 */
export function readExtensionLines(content: string): readonly ExtensionLine[] {
  const certificate = readCertificate(content);
  const { basicConstraints, subjectKeyIdentifier, authorityKeyIdentifier, certificatePolicies } = certificate;
  const textLine = (name: string, lines: readonly string[]): ExtensionLine => ({
    name,
    value: lines.map(visibleText).join('\n'),
  });
  const hexLine = (name: string, value: Uint8Array | undefined): ExtensionLine => ({
    name,
    value: value ? colonPairs(toHex(value)) : '',
    code: true,
  });
  return [
    textLine('Type', basicConstraints ? [basicConstraints.ca ? 'CA' : 'End entity'] : []),
    textLine('Path length', basicConstraints?.pathLength === undefined ? [] : [String(basicConstraints.pathLength)]),
    hexLine('Subject key identifier', subjectKeyIdentifier),
    hexLine('Authority key identifier', authorityKeyIdentifier?.keyIdentifier),
    textLine('CRL', certificate.crlUrls),
    textLine('OCSP', certificate.ocspUrls),
    textLine('Issuer certificate', certificate.caIssuersUrls),
    textLine(
      'Policies',
      certificatePolicies.map(({ oid }) => oid),
    ),
    ...certificate.extensions
      .filter(({ oid }) => !READABLE.has(oid))
      .map(({ oid, value }) => hexLine(`Extension ${oid}`, value)),
    textLine(
      'Critical extensions',
      certificate.extensions.filter(({ critical }) => critical).map(({ oid }) => nameOf(oid)),
    ),
  ];
}

/** Extensions that are shown on separate lines, either here or as part of the data from the platform. */
const READABLE: ReadonlySet<string> = new Set([
  OID.basicConstraints,
  OID.subjectAltName,
  OID.keyUsage,
  OID.extKeyUsage,
  OID.subjectKeyIdentifier,
  OID.authorityKeyIdentifier,
  OID.crlDistributionPoints,
  OID.authorityInfoAccess,
  OID.certificatePolicies,
]);

const nameOf = (oid: string): string => Object.entries(OID).find(([, known]) => known === oid)?.[0] ?? oid;
