// Names, serial numbers and fingerprints in readable form.
import { visibleText } from '@signetry/pki/hidden-characters';
import { unicodeHostName } from '@signetry/pki/international-names';

/** Formats hex as colon-separated pairs of digits, so that two numbers can be compared visually. */
export const colonPairs = (hex: string): string =>
  (hex.length % 2 === 0 ? hex : `0${hex}`).toUpperCase().match(/../g)?.join(':') ?? hex;

/** Capitalizes text for the beginning of a sentence. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const formatCount = (count: number): string => count.toLocaleString();

/** Members that can name a certificate. Each operation returns a different subset. */
export interface NamedCertificate {
  readonly commonName: string;
  /** First subject alternative name; used if there is no common name. */
  readonly alternativeName?: string | undefined;
  readonly subjectAlternativeNames?: AlternativeNames | undefined;
  readonly certificateRequest?: { readonly subjectAlternativeNames?: AlternativeNames | undefined } | undefined;
  readonly subjectDn?: string | undefined;
  readonly serialNumber?: string | undefined;
}

type AlternativeNames = Readonly<Record<string, readonly string[]>>;

/** Types of subject alternative names, most familiar first. */
const KINDS = ['dNSName', 'iPAddress', 'rfc822Name', 'uniformResourceIdentifier'];

const firstOf = (names: AlternativeNames = {}): string | undefined =>
  [...KINDS, ...Object.keys(names)].flatMap((kind) => names[kind] ?? [])[0];

/**
 * Returns a certificate's raw name: its common name or, if it has none, its first subject alternative name, subject or
 * serial number.
 */
export const nameOf = (certificate: NamedCertificate): string =>
  certificate.commonName ||
  certificate.alternativeName ||
  firstOf(certificate.subjectAlternativeNames) ||
  firstOf(certificate.certificateRequest?.subjectAlternativeNames) ||
  certificate.subjectDn ||
  `Serial number ${certificate.serialNumber ?? 'unknown'}`;

/** Returns a certificate's name for display. */
export const titleOf = (certificate: NamedCertificate): string => shownName(nameOf(certificate));

/** Formats a certificate name for display on one line; internationalized host names are shown in both forms. */
export function shownName(name: string): string {
  const unicode = unicodeHostName(name);
  return unicode === undefined ? visibleText(name) : `${name} (${unicode})`;
}

/** Returns the name of a certificate's issuer. Some old roots have no common name. */
export const issuerOf = (certificate: { readonly issuerCommonName?: string; readonly issuerDn?: string }): string =>
  visibleText(certificate.issuerCommonName || certificate.issuerDn || '');
