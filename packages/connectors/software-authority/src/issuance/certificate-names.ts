// Names in a certificate: either the names in the request or others specified in their place, subject to the profile's
// rules.
import {
  attributeTypeOfCode,
  buildName,
  canonicalGeneralName,
  commonName,
  distinctGeneralNames,
  OID,
  parseName,
  parseNameText,
  requestedNames,
  type Certificate,
  type GeneralName,
  type Name,
  type NameAttribute,
  type RdnInput,
} from '@signetry/pki';
import { ISSUE } from '../attributes/issue-attributes.ts';
import { PROFILE } from '../attributes/ra-profile-settings.ts';
import type { Problems } from '../problems.ts';
import { parseAltName } from '../profiles/alt-name-text.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import { checkNames } from '../profiles/name-policy.ts';
import { splitLines } from '../profiles/text-lines.ts';
import type { RequestToCertify } from './certification-request.ts';

/** Names specified alongside the request. */
export interface NameSpec {
  readonly subject?: string | undefined;
  readonly altNames?: string | undefined;
}

export interface CertificateNames {
  readonly subject: Name;
  readonly altNames: readonly GeneralName[];
  /** True if the names differ from those in the request; a renewal must then keep the old ones. */
  readonly overridden: boolean;
}

/** Requested names, before the profile is applied. */
export interface DesiredNames {
  readonly subject: Name;
  readonly altNames: readonly GeneralName[];
  readonly overridden: boolean;
}

export function desiredNamesOnIssue(request: RequestToCertify, wish: NameSpec, problems: Problems): DesiredNames {
  const { subject, altNames } = wish;
  const names =
    altNames === undefined
      ? request.altNames
      : splitLines(altNames).flatMap((text) => problems.attempt(ISSUE.altNames, () => parseAltName(text)) ?? []);
  const name =
    subject === undefined
      ? request.csr.subject
      : (problems.attempt(ISSUE.subject, () => readSubject(subject)) ?? request.csr.subject);
  return { subject: name, altNames: names, overridden: subject !== undefined || altNames !== undefined };
}

const readSubject = (text: string): Name =>
  text.toLowerCase() === 'none' ? parseName(EMPTY_NAME) : buildName(parseNameText(text));

/**
 * Returns the names for a renewal. Names that replaced those in the original request are kept. Otherwise, the names are
 * taken from the new request or, if it has none, from the old certificate.
 */
export function desiredNamesOnRenewal(
  request: RequestToCertify,
  old: { readonly certificate: Certificate; readonly namesOverridden: boolean },
): DesiredNames {
  const { certificate, namesOverridden } = old;
  if (namesOverridden) {
    return { subject: certificate.subject, altNames: certificate.subjectAltNames, overridden: true };
  }
  const { csr, altNames } = request;
  return {
    subject: csr.subject.rdns.length > 0 ? csr.subject : certificate.subject,
    altNames: altNames.length > 0 ? altNames : certificate.subjectAltNames,
    overridden: false,
  };
}

/** Applies the profile. Adds a problem for each name that the profile does not allow. Duplicate names are merged. */
export function applyProfile(wanted: DesiredNames, profile: CertificateProfile, problems: Problems): CertificateNames {
  const subject = chooseSubject(wanted, profile, problems);
  const altNames = chooseAltNames(wanted, { subject, profile }, problems);
  checkNames(altNames, profile.names, problems);
  checkCommonName(subject, profile, problems);
  if (subject.rdns.length === 0 && altNames.length === 0)
    problems.add('The certificate would have neither a subject nor a subject alternative name.');
  return { subject, altNames, overridden: wanted.overridden };
}

const EMPTY_NAME = Uint8Array.of(0x30, 0x00);

function chooseSubject(wanted: DesiredNames, profile: CertificateProfile, problems: Problems): Name {
  const { copySubject, fixedSubject, subjectParts } = profile;
  if (copySubject && fixedSubject.length === 0 && !subjectParts) return wanted.subject;
  const fixedTypes = new Set(fixedSubject.flatMap(typesOf));
  const isCopied = ({ type }: NameAttribute) => !fixedTypes.has(type) && (subjectParts?.has(type) ?? true);
  const copied = copySubject ? wanted.subject.rdns.filter((rdn) => rdn.every(isCopied)) : [];
  if (fixedSubject.length + copied.length === 0) return parseName(EMPTY_NAME);
  return problems.attempt('The subject', () => buildName([...fixedSubject, ...copied])) ?? wanted.subject;
}

const typesOf = (rdn: RdnInput): readonly (string | undefined)[] =>
  ('type' in rdn ? [rdn] : rdn).map(({ type }) => attributeTypeOfCode(type));

function checkCommonName(subject: Name, { commonNamePattern }: CertificateProfile, problems: Problems): void {
  if (!commonNamePattern) return;
  const name = commonName(subject);
  if (name === undefined) problems.add(`The profile requires a common name (${PROFILE.commonNamePattern}).`);
  else if (!commonNamePattern.matches(name)) {
    problems.add(`The common name "${name.slice(0, 100)}" does not match the pattern ${commonNamePattern.source}.`);
  }
}

/**
 * Returns the SANs in canonical form. Old clients accept a host name in a common name. In a server certificate, the
 * host names in the common names of the request and of the certificate are therefore treated as SANs: they are added,
 * or at least checked against the same rules.
 */
function chooseAltNames(
  wanted: DesiredNames,
  { subject, profile }: { readonly subject: Name; readonly profile: CertificateProfile },
  problems: Problems,
): readonly GeneralName[] {
  const { names: rules } = profile;
  const altNames = distinctGeneralNames(wanted.altNames.map(canonicalGeneralName));
  if (!profile.extendedKeyUsages.includes(OID.serverAuth)) return altNames;
  const all = requestedNames(subject, requestedNames(wanted.subject, altNames, rules), rules);
  if (profile.commonNameAsAltName) return all;
  // The names of common names follow the alternative names.
  checkNames(all.slice(altNames.length), { ...rules, requireOne: false }, problems);
  return altNames;
}
