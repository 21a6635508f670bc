// Distinguished encoding (X.690 §10, §11) in cases where parsers are more lenient, and extensions that relying parties
// cannot or should not use (RFC 5280 §4.2).
import { compareBytes } from '../../../bytes.ts';
import { elementBytes, explicitContent, parseDer, readChildren, type DerElement } from '../../../der/reader.ts';
import { OID } from '../../../oids.ts';
import { TAG } from '../../../der/tags.ts';
import type { CertificateRules, LintSubject } from '../../certificate-rule.ts';

const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const SUBTREE_MINIMUM = 0x80;

/** Extensions that relying party software is known to process if they are critical. */
const PROCESSED: ReadonlySet<string> = new Set([
  OID.keyUsage,
  OID.subjectAltName,
  OID.issuerAltName,
  OID.basicConstraints,
  OID.nameConstraints,
  OID.crlDistributionPoints,
  OID.certificatePolicies,
  OID.policyMappings,
  OID.policyConstraints,
  OID.extKeyUsage,
  OID.inhibitAnyPolicy,
  OID.ctPrecertificatePoison,
  OID.acmeIdentifier,
  // Other rules require these to be non-critical.
  OID.authorityKeyIdentifier,
  OID.subjectKeyIdentifier,
  OID.subjectDirectoryAttributes,
  OID.freshestCrl,
  OID.authorityInfoAccess,
  OID.subjectInfoAccess,
  OID.ocspNoCheck,
  OID.ctSctList,
  OID.tlsFeature,
  OID.qcStatements,
  OID.subjectAltPublicKeyInfo,
  OID.altSignatureAlgorithm,
  OID.altSignatureValue,
]);

/** Extensions defined by Netscape before 1999: 2.16.840.1.113730.1.1 to 13. */
const NETSCAPE = '2.16.840.1.113730.1.';

/** Returns whether an Extension encodes its default value, FALSE. */
function encodesFalse(extension: DerElement): boolean {
  const flag = readChildren(extension)[1];
  return flag?.tag === TAG.boolean && flag.source[flag.content] === 0;
}

/** Returns whether the attributes of each RDN are sorted by their encodings, as required for a SET OF. */
const isSorted = (name: Uint8Array): boolean =>
  readChildren(parseDer(name)).every((set) => {
    const attributes = readChildren(set).map(elementBytes);
    return attributes.every((each, place) => place === 0 || compareBytes(attributes[place - 1] ?? each, each) <= 0);
  });

const extensionElements = ({ fields }: LintSubject): DerElement[] => {
  const field = fields.find(({ tag }) => tag === EXTENSIONS);
  return field === undefined ? [] : readChildren(explicitContent(field));
};

export const ENCODING = {
  'version-default-omitted': {
    demand: 'Version 1 must be omitted from the encoding, since it is the default.',
    remedy: 'Omit the version, or issue the certificate as X.509 version 3.',
    citation: 'RFC 5280 §4.1.2.1; X.690 §11.5',
    severity: 'error',
    field: 'version',
    violates: ({ certificate, fields }) => certificate.version === 1 && fields[0]?.tag === VERSION,
  },
  'extension-default-omitted': {
    demand: 'The criticality FALSE of an extension must be omitted from the encoding, since it is the default.',
    remedy: 'Omit the BOOLEAN from the encoding of the extension.',
    citation: 'RFC 5280 §4.1; X.690 §11.5',
    severity: 'error',
    field: 'extensions',
    violates: (subject) =>
      subject.certificate.extensions.some(({ critical }) => !critical) && extensionElements(subject).some(encodesFalse),
  },
  'rdn-sorted': {
    demand: 'The attributes of a relative distinguished name must be sorted by their encodings.',
    remedy: 'Sort the attributes of the RDN by their encodings, or use a separate RDN for each.',
    citation: 'X.690 §11.6',
    severity: 'error',
    field: 'subject',
    violates: ({ certificate: { subject, subjectDer } }) =>
      subject.rdns.some(({ length }) => length > 1) && !isSorted(subjectDer),
  },
  'name-constraints-default-omitted': {
    demand: 'The minimum 0 of a subtree must be omitted from the encoding, since it is the default.',
    remedy: 'Omit the minimum of each subtree.',
    citation: 'RFC 5280 §4.2.1.10; X.690 §11.5',
    severity: 'error',
    field: 'extensions.nameConstraints',
    violates: ({ certificate }) => {
      const value = certificate.extensionValue(OID.nameConstraints);
      if (value === undefined) return false;
      const subtrees = readChildren(parseDer(value)).flatMap(readChildren);
      return subtrees.some((subtree) =>
        readChildren(subtree).some(({ tag }, place) => place > 0 && tag === SUBTREE_MINIMUM),
      );
    },
  },
  'critical-extension-unknown': {
    demand:
      'Use only critical extensions that common software supports; software that does not recognize one rejects the certificate.',
    remedy: 'Mark the extension as non-critical, unless only software that supports it should accept the certificate.',
    citation: 'RFC 5280 §4.2',
    severity: 'warning',
    field: 'extensions',
    violates: ({ certificate }) => {
      const unknown = certificate.extensions.find(({ oid, critical }) => critical && !PROCESSED.has(oid));
      return unknown && { field: `extensions.${unknown.oid}.critical`, value: 'TRUE' };
    },
  },
  'extension-obsolete': {
    demand: 'A certificate should not contain Netscape extensions: they are no longer used.',
    remedy: 'Omit the extension; the extended key usage replaces it.',
    citation: 'RFC 5280 §4.2',
    severity: 'notice',
    field: 'extensions',
    violates: ({ certificate }) => {
      const old = certificate.extensions.find(({ oid }) => oid.startsWith(NETSCAPE));
      return old && { field: `extensions.${old.oid}`, value: old.value.toHex() };
    },
  },
} satisfies CertificateRules;
