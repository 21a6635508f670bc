// Names, serial numbers and fingerprints in readable form.
import { visibleText } from '@signetry/pki/hidden-characters';
import { unicodeHostName } from '@signetry/pki/international-names';

/** Pairs of digits, so that two numbers can be compared by eye. */
export const colonPairs = (hex: string): string =>
  (hex.length % 2 === 0 ? hex : `0${hex}`).toUpperCase().match(/../g)?.join(':') ?? hex;

/** For the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const formatCount = (count: number): string => count.toLocaleString();

/** The members that name a certificate; which of them there are depends on the operation that answered. */
export interface NamedCertificate {
  readonly commonName: string;
  /** The first alternative name, where there is no common name. */
  readonly alternativeName?: string | undefined;
  readonly subjectAlternativeNames?: AlternativeNames | undefined;
  readonly certificateRequest?: { readonly subjectAlternativeNames?: AlternativeNames | undefined } | undefined;
  readonly subjectDn?: string | undefined;
  readonly serialNumber?: string | undefined;
}

type AlternativeNames = Readonly<Record<string, readonly string[]>>;

/** Kinds of names that people know a certificate by come first. */
const KINDS = ['dNSName', 'iPAddress', 'rfc822Name', 'uniformResourceIdentifier'];

const firstOf = (names: AlternativeNames = {}): string | undefined =>
  [...KINDS, ...Object.keys(names)].flatMap((kind) => names[kind] ?? [])[0];

/** The name of a certificate as it is: its common name, else its first alternative name, its subject or its number. */
export const nameOf = (certificate: NamedCertificate): string =>
  certificate.commonName ||
  certificate.alternativeName ||
  firstOf(certificate.subjectAlternativeNames) ||
  firstOf(certificate.certificateRequest?.subjectAlternativeNames) ||
  certificate.subjectDn ||
  `Serial number ${certificate.serialNumber ?? 'unknown'}`;

/** The name of a certificate for people. */
export const titleOf = (certificate: NamedCertificate): string => shownName(nameOf(certificate));

/** A name from a certificate for people: on one line, an international host name in both of its forms. */
export function shownName(name: string): string {
  const unicode = unicodeHostName(name);
  return unicode === undefined ? visibleText(name) : `${name} (${unicode})`;
}

/** The issuer of a certificate; old roots have no common name. */
export const issuerOf = (certificate: { readonly issuerCommonName?: string; readonly issuerDn?: string }): string =>
  visibleText(certificate.issuerCommonName || certificate.issuerDn || '');
