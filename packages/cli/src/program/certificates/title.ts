// Display names of certificates in tables and messages.
import { unicodeHostName } from '@signetry/pki/international-names';

/** Members that name a certificate. The operation that returned it determines which of them are present. */
export interface NamedCertificate {
  readonly commonName?: string | undefined;
  /** First SAN, if there is no common name. */
  readonly alternativeName?: string | undefined;
  readonly subjectAlternativeNames?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly subjectDn?: string | undefined;
}

/** SAN types in order of preference, the most recognizable first. */
const KINDS = ['dNSName', 'iPAddress', 'rfc822Name', 'uniformResourceIdentifier'];

/** Returns the common name, or else the first SAN, or else the subject. */
function nameOf(certificate: NamedCertificate): string {
  const { commonName, alternativeName, subjectAlternativeNames: names = {}, subjectDn } = certificate;
  const [first] = [...KINDS, ...Object.keys(names)].flatMap((kind) => names[kind] ?? []);
  return commonName || alternativeName || first || subjectDn || '-';
}

/** Returns the display name; an internationalized name is followed by its Unicode form. */
export function titleOf(certificate: NamedCertificate): string {
  const name = nameOf(certificate);
  const unicode = unicodeHostName(name);
  return unicode === undefined ? name : `${name} (${unicode})`;
}
