// An RA profile, parsed from its attributes once and used for all certificates issued under it.
import { LRUCache } from 'lru-cache';
import {
  readBoolean,
  readInteger,
  readString,
  readStrings,
  validateAttributes,
  type LinearPattern,
} from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import {
  attributeTypeOfCode,
  KEY_USAGES,
  OID,
  parseNameText,
  type KeyPolicy,
  type KeyUsage,
  type PolicyInput,
  type RdnInput,
} from '@signetry/pki';
import { raProfileAttributes } from '../attributes/ra-profile-attributes.ts';
import {
  ALT_NAME_TYPES,
  CURVES,
  DEFAULT_ALT_NAME_TYPES,
  DEFAULT_BACKDATE_MINUTES,
  DEFAULT_CA_KEY_USAGES,
  DEFAULT_EXTENDED_KEY_USAGES,
  DEFAULT_KEY_USAGES,
  DEFAULT_MAX_ALT_NAMES,
  DEFAULT_MIN_RSA_BITS,
  DEFAULT_URLS,
  DEFAULT_VALIDITY_DAYS,
  KEY_FAMILIES,
  PROFILE,
  type Excess,
} from '../attributes/ra-profile-settings.ts';
import { gatherProblems, type Problems } from '../problems.ts';
import { readUrls, type OwnUrls } from './certificate-urls.ts';
import { readIpRanges, readPattern, readPatterns, readSuffixes, type NamePolicy } from './name-policy.ts';
import { isObjectIdentifier } from './object-identifier.ts';
import { splitEntries, splitLines } from './text-lines.ts';

export interface CertificateProfile {
  readonly validityDays: number;
  readonly maxValidityDays: number;
  readonly backdateMs: number;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly string[];
  readonly keyPolicy: KeyPolicy;
  readonly copySubject: boolean;
  /** Object identifiers of the attributes to copy from the request. If undefined, all are copied. */
  readonly subjectParts: ReadonlySet<string> | undefined;
  readonly fixedSubject: readonly RdnInput[];
  readonly commonNamePattern: LinearPattern | undefined;
  readonly commonNameAsAltName: boolean;
  readonly names: NamePolicy;
  readonly urls: {
    readonly crl: readonly string[];
    readonly deltaCrl: readonly string[];
    readonly ocsp: readonly string[];
    readonly caIssuers: readonly string[];
  };
  readonly excess: Excess;
  readonly policies: readonly PolicyInput[];
  readonly ocspNoCheck: boolean;
  readonly mustStaple: boolean;
  /** Present only in profiles for subordinate CAs. */
  readonly ca: { readonly pathLength: number } | undefined;
}

export interface ReadProfileOptions {
  /** True while a profile is being checked before it is stored. */
  readonly allowPlaceholders: boolean;
  /** The connector's own URLs, used for attributes without a value if the connector publishes them. */
  readonly own?: OwnUrls | undefined;
}

/** Parses a profile. Rejects invalid attributes with a list of all problems. */
export function readProfile(
  attributes: readonly RequestAttributeDto[],
  options: ReadProfileOptions,
): CertificateProfile {
  const problems = gatherProblems();
  for (const problem of validateAttributes(raProfileAttributes({ deltaCrls: false }), attributes))
    problems.add(problem);
  problems.refuse();
  const profile = compile(attributes, { ...options, problems });
  checkTogether(profile, problems);
  problems.refuse();
  return profile;
}

interface CompileOptions extends ReadProfileOptions {
  readonly problems: Problems;
}

function compile(
  attributes: readonly RequestAttributeDto[],
  { allowPlaceholders, own, problems }: CompileOptions,
): CertificateProfile {
  const text = (name: string): string | undefined => readString(attributes, name);
  const urls = (attribute: string): readonly string[] =>
    readUrls(
      { text: text(attribute) ?? (own && DEFAULT_URLS[attribute]), attribute, allowPlaceholders, own },
      problems,
    );
  const isCa = readBoolean(attributes, PROFILE.isCa) ?? false;
  const validityDays = readInteger(attributes, PROFILE.validityDays) ?? DEFAULT_VALIDITY_DAYS;
  const commonNamePattern = text(PROFILE.commonNamePattern);
  return {
    validityDays,
    maxValidityDays: readInteger(attributes, PROFILE.maxValidityDays) ?? validityDays,
    backdateMs: (readInteger(attributes, PROFILE.backdateMinutes) ?? DEFAULT_BACKDATE_MINUTES) * 60_000,
    keyUsages: readKeyUsages(attributes, isCa),
    extendedKeyUsages: readExtendedKeyUsages(attributes, { isCa, problems }),
    keyPolicy: readKeyPolicy(attributes),
    copySubject: readBoolean(attributes, PROFILE.copySubject) ?? true,
    subjectParts: readSubjectParts(attributes),
    fixedSubject: problems.attempt(PROFILE.fixedSubject, () => parseNameText(text(PROFILE.fixedSubject) ?? '')) ?? [],
    commonNamePattern:
      commonNamePattern === undefined ? undefined : readPattern(commonNamePattern, PROFILE.commonNamePattern, problems),
    commonNameAsAltName: readBoolean(attributes, PROFILE.commonNameAsAltName) ?? true,
    names: readNamePolicy(attributes, problems),
    urls: {
      crl: urls(PROFILE.crlUrls),
      deltaCrl: urls(PROFILE.deltaCrlUrls),
      ocsp: urls(PROFILE.ocspUrls),
      caIssuers: urls(PROFILE.caIssuersUrls),
    },
    excess: readString(attributes, PROFILE.excess) === 'refuse' ? 'refuse' : 'ignore',
    policies: splitLines(text(PROFILE.policies)).flatMap((line) => readPolicy(line, problems) ?? []),
    ocspNoCheck: readBoolean(attributes, PROFILE.ocspNoCheck) ?? false,
    mustStaple: readBoolean(attributes, PROFILE.mustStaple) ?? false,
    ca: isCa ? { pathLength: readInteger(attributes, PROFILE.pathLength) ?? 0 } : undefined,
  };
}

function readKeyUsages(attributes: readonly RequestAttributeDto[], isCa: boolean): readonly KeyUsage[] {
  const chosen = readStrings(attributes, PROFILE.keyUsages);
  if (chosen.length === 0) return isCa ? DEFAULT_CA_KEY_USAGES : DEFAULT_KEY_USAGES;
  return KEY_USAGES.filter((usage) => chosen.includes(usage));
}

function readExtendedKeyUsages(
  attributes: readonly RequestAttributeDto[],
  { isCa, problems }: { readonly isCa: boolean; readonly problems: Problems },
): readonly string[] {
  const others = splitEntries(readString(attributes, PROFILE.otherExtendedKeyUsages));
  for (const oid of others) {
    if (!isObjectIdentifier(oid))
      problems.add(`"${oid.slice(0, 100)}" (${PROFILE.otherExtendedKeyUsages}) is not an object identifier.`);
  }
  const chosen = [...new Set([...readStrings(attributes, PROFILE.extendedKeyUsages), ...others])];
  return chosen.length > 0 || isCa ? chosen : DEFAULT_EXTENDED_KEY_USAGES;
}

function readSubjectParts(attributes: readonly RequestAttributeDto[]): ReadonlySet<string> | undefined {
  const chosen = readStrings(attributes, PROFILE.subjectParts);
  return chosen.length === 0 ? undefined : new Set(chosen.flatMap((code) => attributeTypeOfCode(code) ?? []));
}

function readKeyPolicy(attributes: readonly RequestAttributeDto[]): KeyPolicy {
  const families = readStrings(attributes, PROFILE.keyAlgorithms);
  const curves = readStrings(attributes, PROFILE.curves);
  return {
    families: families.length === 0 ? KEY_FAMILIES : KEY_FAMILIES.filter((family) => families.includes(family)),
    minRsaBits: readInteger(attributes, PROFILE.minRsaBits) ?? DEFAULT_MIN_RSA_BITS,
    otherRsaExponents: readBoolean(attributes, PROFILE.otherRsaExponents) ?? false,
    curves: Object.entries(CURVES).flatMap(([name, oid]) =>
      curves.length === 0 || curves.includes(name) ? [oid] : [],
    ),
  };
}

function readNamePolicy(attributes: readonly RequestAttributeDto[], problems: Problems): NamePolicy {
  const types = readStrings(attributes, PROFILE.altNameTypes);
  const allowed = types.length === 0 ? DEFAULT_ALT_NAME_TYPES : types;
  const entries = (name: string): readonly string[] => splitEntries(readString(attributes, name));
  return {
    kinds: new Set(
      Object.entries(ALT_NAME_TYPES).flatMap(([type, kind]) =>
        (allowed as readonly string[]).includes(type) ? [kind] : [],
      ),
    ),
    requireOne: readBoolean(attributes, PROFILE.requireAltName) ?? false,
    maxNames: readInteger(attributes, PROFILE.maxAltNames) ?? DEFAULT_MAX_ALT_NAMES,
    dnsSuffixes: readSuffixes(entries(PROFILE.dnsSuffixes), PROFILE.dnsSuffixes, problems),
    dnsPatterns: readPatterns(splitLines(readString(attributes, PROFILE.dnsPatterns)), PROFILE.dnsPatterns, problems),
    allowWildcards: readBoolean(attributes, PROFILE.allowWildcards) ?? true,
    allowUnderscores: readBoolean(attributes, PROFILE.allowUnderscores) ?? false,
    ipRanges: readIpRanges(entries(PROFILE.ipRanges), PROFILE.ipRanges, problems),
    emailDomains: readSuffixes(entries(PROFILE.emailDomains), PROFILE.emailDomains, problems),
  };
}

function readPolicy(line: string, problems: Problems): PolicyInput | undefined {
  const [oid = '', cpsUrl, ...rest] = line.split(/\s+/);
  if (!isObjectIdentifier(oid) || rest.length > 0) {
    problems.add(`"${line.slice(0, 100)}" (${PROFILE.policies}) must be an object identifier with an optional URL.`);
    return undefined;
  }
  const [checked] = readUrls({ text: cpsUrl, attribute: PROFILE.policies, allowPlaceholders: false }, problems);
  return checked === undefined ? { oid } : { oid, cpsUrl: checked };
}

/** Checks that involve multiple attributes. */
function checkTogether(profile: CertificateProfile, problems: Problems): void {
  const { ca, keyUsages } = profile;
  if (profile.maxValidityDays < profile.validityDays) {
    problems.add(`${PROFILE.maxValidityDays} must not be less than ${PROFILE.validityDays}.`);
  }
  if (!ca && keyUsages.includes('keyCertSign')) {
    problems.add(`The key usage keyCertSign is only for CA certificates (RFC 5280 §4.2.1.9); see ${PROFILE.isCa}.`);
  }
  if (ca && !keyUsages.includes('keyCertSign')) problems.add('A CA certificate must have the key usage keyCertSign.');
  if (profile.ocspNoCheck && !profile.extendedKeyUsages.includes(OID.ocspSigning)) {
    problems.add(`${PROFILE.ocspNoCheck} requires the extended key usage OCSP Signing (RFC 6960 §4.2.2.2.1).`);
  }
  if (!profile.copySubject && profile.fixedSubject.length === 0 && ca) {
    problems.add('A CA certificate must have a subject: copy it from the request or specify a fixed one.');
  }
}

/** Maximum number of cached profiles. Platforms send the same attributes with every call. */
const MAX_CACHED_PROFILES = 256;

/**
 * Creates a function that reads profiles for issuance. Placeholders must already be replaced. `publicUrl` is the
 * connector's own URL, if it has one.
 */
export function createProfileReader(
  publicUrl: string | undefined,
): (attributes: readonly RequestAttributeDto[], authority: string) => CertificateProfile {
  const cache = new LRUCache<string, CertificateProfile>({ max: MAX_CACHED_PROFILES });
  return (attributes, authority) => {
    const own = publicUrl === undefined ? undefined : { publicUrl, authority };
    const text = `${own ? authority : ''} ${JSON.stringify(attributes)}`;
    const known = cache.get(text);
    if (known) return known;
    const profile = readProfile(attributes, { allowPlaceholders: false, own });
    cache.set(text, profile);
    return profile;
  };
}
