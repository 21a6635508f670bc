// Canonical form of host names from users and requests, and the host names that a request contains. Used wherever a
// name enters the platform, so that every entry point accepts and rejects the same names.
import { OID } from './oids.ts';
import { attributeValues, type Name } from './names.ts';
import { distinctGeneralNames, ipAddressName, type GeneralName } from './x509/general-names.ts';
import { parseIpAddress } from './x509/ip-address.ts';

/** RFC 1035 §2.3.4, without the trailing dot. */
const MAX_HOST_NAME = 253;
/** Letters, digits and hyphens, without a hyphen at either end (RFC 1034 §3.5, RFC 5890 §2.3.1). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const LABEL_WITH_UNDERSCORES = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** Other ASCII characters would change how a URL that contains the name is parsed. */
const OTHER_ASCII = /[\x00-\x7f]/; // oxlint-disable-line no-control-regex -- the range is ASCII
const NAME_ASCII = /[a-z0-9._-]/gi;
const WILDCARD = '*.';

export interface HostNameRules {
  /** Underscores are not permitted in host names (RFC 1123 §2.1), but some networks use them. Default: false. */
  readonly allowUnderscores?: boolean;
}

/** `problem` is the predicate of a sentence about the name and contains a remedy if there is one. */
export type HostNameForm = { readonly name: string } | { readonly problem: string };

/**
 * Returns a host name, which can start with `*.`, without its trailing dot and with internationalized labels as
 * A-labels (RFC 5890 §2.3.2.1); ASCII letters keep their case. Returns a problem if the text is not a host name.
 */
export function hostNameForm(text: string, { allowUnderscores = false }: HostNameRules = {}): HostNameForm {
  const wildcard = text.startsWith(WILDCARD) ? WILDCARD : '';
  const written = text.slice(wildcard.length);
  if (written.includes('*')) return { problem: 'has a wildcard that is not the entire leftmost label' };
  const ascii = toAscii(written);
  if (ascii === undefined) return { problem: 'contains characters that are not permitted in host names' };
  const name = ascii.replace(/\.$/, '');
  if (name.length > MAX_HOST_NAME) return { problem: `has more than ${MAX_HOST_NAME} characters` };
  const labels = name.split('.');
  if (labels.every((label) => (allowUnderscores ? LABEL_WITH_UNDERSCORES : LABEL).test(label)))
    return { name: wildcard + name };
  return {
    problem: labels.every((label) => LABEL_WITH_UNDERSCORES.test(label))
      ? 'contains an underscore, which host names do not permit; use a hyphen, or allow underscores in the RA profile'
      : 'has a label that is not 1 to 63 letters, digits and hyphens, or that starts or ends with a hyphen',
  };
}

/** Returns the ASCII form, or undefined if the text contains characters that no host name has. */
function toAscii(text: string): string | undefined {
  const others = text.replaceAll(NAME_ASCII, '');
  if (others === '') return text;
  if (OTHER_ASCII.test(others)) return undefined;
  // The URL parser is the only implementation of IDNA (UTS 46) that browsers and Node share.
  const url = `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  // Digits of other scripts can form an IP address.
  return parseIpAddress(hostname) === undefined ? hostname : undefined;
}

/**
 * Returns whether a name ends with a number. No top-level domain is a number (RFC 3696 §2), and some programs treat
 * `127.1` and `0x7f000001` as IP addresses.
 */
export const endsInNumber = (name: string): boolean => /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(name);

/** Returns a name with its host name in canonical form; names without such a form are unchanged. */
export function canonicalGeneralName(name: GeneralName): GeneralName {
  if (name.kind !== 'dNSName') return name;
  const form = hostNameForm(name.value, { allowUnderscores: true });
  return 'name' in form ? { kind: 'dNSName', value: form.name } : name;
}

/**
 * Returns the name that a common name represents if it is an IP address, `localhost`, or a host name with a domain.
 * Returns undefined for all other text.
 */
export function hostOfCommonName(text: string, rules: HostNameRules = {}): GeneralName | undefined {
  if (parseIpAddress(text)) return ipAddressName(text);
  const form = hostNameForm(text, rules);
  if (!('name' in form)) return undefined;
  const { name } = form;
  const isHost =
    name.toLowerCase() === 'localhost' || (name.replace(WILDCARD, '').includes('.') && !endsInNumber(name));
  return isHost ? { kind: 'dNSName', value: name } : undefined;
}

/**
 * Returns the names of a request: its subject alternative names, and the hosts in its common names (RFC 8555 §7.4),
 * each once and in canonical form.
 */
export function requestedNames(
  subject: Name,
  altNames: readonly GeneralName[],
  rules: HostNameRules = {},
): readonly GeneralName[] {
  const hosts = attributeValues(subject, OID.commonName).flatMap((text) => hostOfCommonName(text, rules) ?? []);
  return distinctGeneralNames([...altNames.map(canonicalGeneralName), ...hosts]);
}
