// Names of a requested certificate: the kind of alternative name of each, and the file names derived from them.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { formatGeneralName, ipAddressName, type GeneralName } from '@signetry/pki';
import { wrongUsage } from '../failures.ts';

/** Bounds of DNS names (RFC 1035 §2.3.4) and of mailboxes (RFC 5321 §4.5.3.1.3). */
const MAX_HOST_NAME = 253;
const MAX_MAILBOX = 254;

/** ub-common-name of RFC 5280 appendix A.1. */
const MAX_COMMON_NAME = 64;

/** File systems allow 255 octets; the longest extension and a margin are reserved. */
const MAX_FILE_NAME = 200;

export interface RequestedName {
  /** As it stands in the certificate. */
  readonly text: string;
  readonly altName: GeneralName;
}

/** Reads a name by its form: an address, a mailbox, or a host name, which may begin with `*.`. */
export function readRequestedName(text: string): RequestedName {
  if (isIP(text) !== 0) return readAddress(text);
  if (text.includes('@')) return readMailbox(text);
  const value = readHostName(text);
  if (value === undefined)
    throw wrongUsage(
      `${text} is not a name for a certificate.`,
      'A name is a host name such as web.example or *.example, an IP address, or an e-mail address.',
    );
  return { text: value, altName: { kind: 'dNSName', value } };
}

function readAddress(text: string): RequestedName {
  if (text.includes('%')) throw wrongUsage(`${text} has a zone, which no certificate can hold.`);
  const altName = ipAddressName(text);
  return { text: formatGeneralName(altName), altName };
}

/** Atoms of RFC 5322 §3.2.3; quoted local parts are not taken. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

function readMailbox(text: string): RequestedName {
  const at = text.lastIndexOf('@');
  const domain = readHostName(text.slice(at + 1));
  const value = `${text.slice(0, at)}@${domain ?? ''}`;
  if (
    domain === undefined ||
    domain.startsWith('*') ||
    !LOCAL_PART.test(text.slice(0, at)) ||
    value.length > MAX_MAILBOX
  )
    throw wrongUsage(`${text} is no e-mail address that a certificate can hold.`);
  return { text: value, altName: { kind: 'rfc822Name', value } };
}

/** A label with the underscore that names in use have, although RFC 1123 does not. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * The host name in lower case and in the ASCII form of international names (RFC 5280 §7.2); undefined when it is none.
 */
function readHostName(text: string): string | undefined {
  const bare = text.replace(/\.$/, '').toLowerCase();
  const wildcard = bare.startsWith('*.') ? '*.' : '';
  const rest = bare.slice(wildcard.length);
  const ascii = /^[\x00-\x7F]*$/.test(rest) ? rest : domainToASCII(rest); // oxlint-disable-line no-control-regex -- the range is ASCII
  const labels = ascii.split('.');
  // Many parsers read a name with a numeric last label as an address (WHATWG URL, host parsing).
  if (!labels.every((label) => LABEL.test(label)) || /^\d+$/.test(labels.at(-1) ?? '')) return undefined;
  const name = `${wildcard}${ascii}`;
  return name.length <= MAX_HOST_NAME ? name : undefined;
}

/** The common name: the first name, unless it is too long to be one; then the subject stays empty. */
export const commonNameOf = (names: readonly RequestedName[]): string | undefined =>
  names[0] !== undefined && names[0].text.length <= MAX_COMMON_NAME ? names[0].text : undefined;

/** A file name without extension. It cannot leave its folder, be hidden, or be read as a flag. */
export function fileNameOf(text: string): string {
  const safe = text
    .replace(/^\*/, '_wildcard')
    .replaceAll(/[^A-Za-z0-9._@+-]/g, '_')
    .replace(/^[.-]/, '_');
  return safe.slice(0, MAX_FILE_NAME);
}
