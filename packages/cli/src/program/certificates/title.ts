// What a certificate is called in tables and messages.
import { unicodeHostName } from '@signetry/pki/international-names';

/** The members that name a certificate; which of them there are depends on the operation that answered. */
export interface NamedCertificate {
  readonly commonName?: string | undefined;
  /** The first alternative name, where there is no common name. */
  readonly alternativeName?: string | undefined;
  readonly subjectAlternativeNames?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly subjectDn?: string | undefined;
}

/** Kinds of names that people know a certificate by come first. */
const KINDS = ['dNSName', 'iPAddress', 'rfc822Name', 'uniformResourceIdentifier'];

/** Its common name, else its first alternative name, else its subject. */
function nameOf(certificate: NamedCertificate): string {
  const { commonName, alternativeName, subjectAlternativeNames: names = {}, subjectDn } = certificate;
  const [first] = [...KINDS, ...Object.keys(names)].flatMap((kind) => names[kind] ?? []);
  return commonName || alternativeName || first || subjectDn || '-';
}

/** Its name; an international one with the form that people read. */
export function titleOf(certificate: NamedCertificate): string {
  const name = nameOf(certificate);
  const unicode = unicodeHostName(name);
  return unicode === undefined ? name : `${name} (${unicode})`;
}
