// The names that a credential can obtain a certificate for: for a client certificate, the names that it contains; for a
// one-time secret, the names that it was created for. Shared by CMP, SCEP and EST. Pure.
import {
  buildName,
  commonName,
  generalNameKey,
  formatIpAddress,
  formatName,
  hostNameForm,
  groupGeneralNames,
  normalizeName,
  parseIpAddress,
  parseNameText,
  type Certificate,
  type GeneralNameKind,
} from '@signetry/pki';
import type { RequestFacts } from '../certificates/index.ts';

export interface BoundNames {
  /** What the names belong to, for error messages. */
  readonly of: string;
  /** Permitted subjects, in the normal form of `RequestFacts`. */
  readonly subjects: ReadonlySet<string>;
  /** Permitted SANs, e.g. `dNSName:www.example.com`. */
  readonly altNames: ReadonlySet<string>;
  /** SANs that the certificate already contains. */
  readonly held: ReadonlySet<string>;
}

/** Names as entered by operators. */
export interface EnteredNames {
  readonly dnsNames?: string[] | undefined;
  readonly ipAddresses?: string[] | undefined;
  readonly emails?: string[] | undefined;
}

type RequestedNames = Pick<RequestFacts, 'subject_dn' | 'subject_dn_normalized' | 'subject_alternative_names'>;

/** SAN types that a common name can represent. */
const KINDS_OF_COMMON_NAMES = ['dNSName', 'iPAddress', 'rfc822Name'] as const;
const WRITTEN_KINDS = { dnsNames: 'dNSName', ipAddresses: 'iPAddress', emails: 'rfc822Name' } as const;
/** Maximum number of names listed in an error message. */
const MAX_LISTED = 5;
const EMPTY_SUBJECT = normalizeName(buildName([]));

export function namesOfCertificate({ subject, subjectAltNames }: Certificate): BoundNames {
  const altNames = Object.entries(groupGeneralNames(subjectAltNames)).flatMap(([kind, values]) =>
    values.map((value) => altName(kind, value)),
  );
  return {
    of: `the certificate ${formatName(subject) || altNames[0] || 'without a name'}`,
    subjects: new Set([normalizeName(subject)]),
    altNames: new Set([...altNames, ...derivedFrom(commonName(subject))]),
    held: new Set(altNames),
  };
}

/**
 * Returns the names for a one-time secret; undefined if the secret was created without names, in which case only the RA
 * profile restricts them. If there are no SANs, the common name is treated as a SAN; if there is no subject, any of the
 * SANs can be the common name.
 */
export function namesOfSecret(
  subject: string | undefined,
  written: EnteredNames,
  reference: string,
): BoundNames | undefined {
  const altNames = Object.entries(WRITTEN_KINDS).flatMap(([member, kind]) =>
    (written[member as keyof EnteredNames] ?? []).map((value) => altName(kind, value)),
  );
  if (subject === undefined && altNames.length === 0) return undefined;
  const name = subject === undefined ? undefined : buildName(parseNameText(subject));
  return {
    of: `the one-time secret ${reference}`,
    subjects: new Set(name ? [normalizeName(name)] : altNames.map((each) => commonNameSubject(each))),
    altNames: new Set([...altNames, ...derivedFrom(name && commonName(name))]),
    held: new Set(),
  };
}

/** Returns an error message that lists the requested names that are not permitted; undefined if there are none. */
export function describeExcessNames(bound: BoundNames, request: RequestedNames): string | undefined {
  const hasOtherSubject =
    request.subject_dn_normalized !== EMPTY_SUBJECT && !bound.subjects.has(request.subject_dn_normalized);
  const others = Object.entries(request.subject_alternative_names).flatMap(([kind, values]) =>
    values.filter((value) => !bound.altNames.has(altName(kind, value))).map((value) => `${kind} ${value}`),
  );
  const beyond = [...(hasOtherSubject ? [`the subject ${request.subject_dn}`] : []), ...others];
  if (beyond.length === 0) return undefined;
  return `The request contains ${listed(beyond)}; ${bound.of} does not cover ${beyond.length === 1 ? 'that name' : 'these names'}.`;
}

/**
 * Returns an error message that lists the names missing from a renewal, which must contain all names in its certificate
 * (RFC 7030 §4.2.2); undefined if none are missing.
 */
export function describeMissingNames(bound: BoundNames, request: RequestedNames): string | undefined {
  const asked = Object.entries(request.subject_alternative_names).flatMap(([kind, values]) =>
    values.map((value) => altName(kind, value)),
  );
  const missing = [...bound.held].filter((name) => !asked.includes(name));
  if (missing.length === 0) return undefined;
  const names = missing.map((name) => name.replace(':', ' '));
  return `The request omits ${listed(names)}; a renewal must contain all subject alternative names of ${bound.of}.`;
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The types come from our parser. IP addresses have multiple text forms. */
function altName(kind: string, value: string): string {
  const address = kind === 'iPAddress' ? parseIpAddress(value) : undefined;
  const host = kind === 'dNSName' ? hostNameForm(value, { allowUnderscores: true }) : undefined;
  if (host && 'name' in host) return generalNameKey('dNSName', host.name);
  return generalNameKey(kind as GeneralNameKind, (address && formatIpAddress(address)) ?? value);
}

const derivedFrom = (name: string | undefined): string[] =>
  name ? KINDS_OF_COMMON_NAMES.map((kind) => altName(kind, name)) : [];

/** Returns the normalized subject that consists of this common name only. */
function commonNameSubject(written: string): string {
  const value = written.slice(written.indexOf(':') + 1);
  return normalizeName(buildName(parseNameText(`CN=${value.replaceAll(/[\\,+"<>;=#]/g, String.raw`\$&`)}`)));
}
