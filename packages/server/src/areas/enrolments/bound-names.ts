// Which names a credential may get a certificate for: a client that authenticates with a certificate gets the names of
// that certificate, and a one-time secret the names that it was made for. The one rule of CMP, SCEP and EST. Pure.
import {
  buildName,
  commonName,
  comparableGeneralName,
  formatIpAddress,
  formatName,
  groupGeneralNames,
  normalizeName,
  parseIpAddress,
  parseNameText,
  type Certificate,
  type GeneralNameKind,
} from '@signetry/pki';
import type { RequestFacts } from '../certificates/index.ts';

export interface BoundNames {
  /** Whose names they are, as refusals name it. */
  readonly of: string;
  /** The subjects that a request may have, in the normal form of `RequestFacts`. */
  readonly subjects: ReadonlySet<string>;
  /** The alternative names that it may have, as `dNSName:www.example.com`. */
  readonly altNames: ReadonlySet<string>;
  /** Those of them that a certificate has already. */
  readonly held: ReadonlySet<string>;
}

/** Names as operators write them. */
export interface WrittenNames {
  readonly dnsNames?: string[] | undefined;
  readonly ipAddresses?: string[] | undefined;
  readonly emails?: string[] | undefined;
}

type RequestedNames = Pick<RequestFacts, 'subject_dn' | 'subject_dn_normalized' | 'subject_alternative_names'>;

/** Kinds of alternative names that a common name can stand for. */
const KINDS_OF_COMMON_NAMES = ['dNSName', 'iPAddress', 'rfc822Name'] as const;
const WRITTEN_KINDS = { dnsNames: 'dNSName', ipAddresses: 'iPAddress', emails: 'rfc822Name' } as const;
/** Names listed in a refusal. */
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
 * Of a one-time secret; undefined where it was made for no names, so that the RA profile alone decides. Without
 * alternative names the common name stands for them; without a subject each name may be the common name.
 */
export function namesOfSecret(
  subject: string | undefined,
  written: WrittenNames,
  reference: string,
): BoundNames | undefined {
  const altNames = Object.entries(WRITTEN_KINDS).flatMap(([member, kind]) =>
    (written[member as keyof WrittenNames] ?? []).map((value) => altName(kind, value)),
  );
  if (subject === undefined && altNames.length === 0) return undefined;
  const name = subject === undefined ? undefined : buildName(parseNameText(subject));
  return {
    of: `the one-time secret ${reference}`,
    subjects: new Set(name ? [normalizeName(name)] : altNames.map((each) => asCommonName(each))),
    altNames: new Set([...altNames, ...derivedFrom(name && commonName(name))]),
    held: new Set(),
  };
}

/** What a request asks for beyond these names, in words; undefined where it asks for nothing else. */
export function namesBeyond(bound: BoundNames, request: RequestedNames): string | undefined {
  const hasOtherSubject =
    request.subject_dn_normalized !== EMPTY_SUBJECT && !bound.subjects.has(request.subject_dn_normalized);
  const others = Object.entries(request.subject_alternative_names).flatMap(([kind, values]) =>
    values.filter((value) => !bound.altNames.has(altName(kind, value))).map((value) => `${kind} ${value}`),
  );
  const beyond = [...(hasOtherSubject ? [`the subject ${request.subject_dn}`] : []), ...others];
  if (beyond.length === 0) return undefined;
  return `The request asks for ${listed(beyond)}; ${bound.of} does not cover ${beyond.length === 1 ? 'that name' : 'these names'}.`;
}

/** What a renewal that has to have all names of its certificate leaves out, in words (RFC 7030 §4.2.2). */
export function namesLeftOut(bound: BoundNames, request: RequestedNames): string | undefined {
  const asked = Object.entries(request.subject_alternative_names).flatMap(([kind, values]) =>
    values.map((value) => altName(kind, value)),
  );
  const missing = [...bound.held].filter((name) => !asked.includes(name));
  if (missing.length === 0) return undefined;
  const names = missing.map((name) => name.replace(':', ' '));
  return `The request leaves out ${listed(names)}; a renewal must contain all alternative names of ${bound.of}.`;
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The kinds are those of our parser. Addresses can be written in several ways. */
function altName(kind: string, value: string): string {
  const address = kind === 'iPAddress' ? parseIpAddress(value) : undefined;
  return comparableGeneralName(kind as GeneralNameKind, (address && formatIpAddress(address)) ?? value);
}

const derivedFrom = (name: string | undefined): string[] =>
  name ? KINDS_OF_COMMON_NAMES.map((kind) => altName(kind, name)) : [];

/** The subject that has only this name, in normal form. */
function asCommonName(written: string): string {
  const value = written.slice(written.indexOf(':') + 1);
  return normalizeName(buildName(parseNameText(`CN=${value.replaceAll(/[\\,+"<>;=#]/g, String.raw`\$&`)}`)));
}
