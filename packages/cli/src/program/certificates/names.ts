// Names in a certificate request: the SAN type of each name, and the file names derived from them.
import { isIP } from 'node:net';
import { endsInNumber, formatGeneralName, hostNameForm, ipAddressName, type GeneralName } from '@signetry/pki';
import { usageError } from '../failures.ts';

/** Maximum length of a mailbox (RFC 5321 §4.5.3.1.3). */
const MAX_MAILBOX = 254;

/** `ub-common-name` in RFC 5280 appendix A.1. */
const MAX_COMMON_NAME = 64;

/** File systems allow 255 bytes; this leaves room for the longest extension and a margin. */
const MAX_FILE_NAME = 200;

export interface RequestedName {
  /** The name as it appears in the certificate. */
  readonly text: string;
  readonly altName: GeneralName;
}

/** Detects a name's type: IP address, mailbox, or host name, which can begin with `*.`. */
export function readRequestedName(text: string): RequestedName {
  if (isIP(text) !== 0) return readAddress(text);
  if (text.includes('@')) return readMailbox(text);
  const value = readHostName(text);
  if (value === undefined)
    throw usageError(
      `Cannot use "${text}" as a name in a certificate.`,
      'Specify a host name such as web.example or *.example, an IP address, or an e-mail address.',
    );
  return { text: value, altName: { kind: 'dNSName', value } };
}

function readAddress(text: string): RequestedName {
  if (text.includes('%')) throw usageError(`${text} has a zone identifier, which certificates cannot contain.`);
  const altName = ipAddressName(text);
  return { text: formatGeneralName(altName), altName };
}

/** RFC 5322 §3.2.3 atoms; quoted local parts are not accepted. */
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
    throw usageError(`Cannot use "${text}" as an e-mail address in a certificate.`);
  return { text: value, altName: { kind: 'rfc822Name', value } };
}

/**
 * Returns the host name in lowercase, with internationalized names in ASCII form (RFC 5280 §7.2), or undefined if the
 * text is not a host name.
 */
function readHostName(text: string): string | undefined {
  // The RA profile decides about underscores.
  const form = hostNameForm(text, { allowUnderscores: true });
  return 'name' in form && !endsInNumber(form.name) ? form.name.toLowerCase() : undefined;
}

/** Returns the first name as the common name, or undefined if it is too long; the subject is then empty. */
export const commonNameOf = (names: readonly RequestedName[]): string | undefined =>
  names[0] !== undefined && names[0].text.length <= MAX_COMMON_NAME ? names[0].text : undefined;

/** Returns a file name, without an extension, that cannot leave its directory, be hidden, or be mistaken for a flag. */
export function fileNameOf(text: string): string {
  const safe = text
    .replace(/^\*/, '_wildcard')
    .replaceAll(/[^A-Za-z0-9._@+-]/g, '_')
    .replace(/^[.-]/, '_');
  return safe.slice(0, MAX_FILE_NAME);
}
