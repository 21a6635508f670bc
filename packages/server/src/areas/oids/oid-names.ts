// What an entry may say, and the names that the entries together give. Pure.
import type { CustomOidEntryUpdateRequestDto } from '@signetry/contract';
import {
  attributeTypeOfCode,
  codeOfAttributeType,
  EXTENDED_KEY_USAGE_NAMES,
  isOid,
  OID,
  type NameCodes,
} from '@signetry/pki';
import type { OidRow } from './tables.ts';

/** What an entry says of its identifier. */
export type EntryFacts = Pick<OidRow, 'oid' | 'display_name' | 'description' | 'category' | 'code' | 'alt_codes'>;

export const factsOf = (oid: string, request: CustomOidEntryUpdateRequestDto): EntryFacts => {
  const { displayName, description, category, additionalProperties: codes } = request;
  return {
    oid,
    display_name: displayName.trim(),
    description: description || null,
    category,
    code: codes?.code ?? null,
    alt_codes: codes?.altCodes ?? [],
  };
};

/** Everything that is wrong with an entry; `others` are the entries of all other identifiers. */
export function problemsOfEntry(entry: EntryFacts, others: readonly OidRow[]): readonly string[] {
  return [...problemsOfOid(entry.oid), ...(problemOfMembers(entry) ?? problemsOfCodes(entry, others))];
}

function problemsOfOid(oid: string): readonly string[] {
  if (!isOid(oid))
    return [
      `oid: ${oid.slice(0, MAX_SHOWN)} is no object identifier: below 0 and 1 the second number is at most 39, and all of it has at most 384 characters`,
    ];
  const systemName = SYSTEM_NAMES.get(oid);
  return systemName === undefined ? [] : [`oid: ${oid} is ${systemName}, which the platform names itself`];
}

const MAX_SHOWN = 100;

/** An attribute type has a code, and nothing else has one. */
function problemOfMembers({ category, code, alt_codes: altCodes }: EntryFacts): readonly string[] | undefined {
  if (category === 'rdnAttributeType')
    return code === null ? ['additionalProperties.code: is missing; attribute types of names have a code'] : undefined;
  return code === null && altCodes.length === 0
    ? undefined
    : [`additionalProperties: only attribute types of names (category rdnAttributeType) have codes`];
}

/** A code means one type, in whatever case, or people who write names would be misunderstood. */
function problemsOfCodes({ oid, code, alt_codes: altCodes }: EntryFacts, others: readonly OidRow[]): readonly string[] {
  const taken = new Map(others.flatMap((other) => codesOf(other).map((each) => [each.toUpperCase(), other])));
  const seen = new Set<string>();
  const problemOf = (place: string, given: string): string[] => {
    const key = given.toUpperCase();
    if (seen.has(key)) return [`${place}: ${given} is given twice; case makes no difference`];
    seen.add(key);
    const other = taken.get(key);
    if (other) return [`${place}: ${given} is a code of ${other.display_name} (${other.oid}) already`];
    const builtIn = attributeTypeOfCode(key);
    return builtIn === undefined || builtIn === oid
      ? []
      : [`${place}: ${given} is a code of ${SYSTEM_NAMES.get(builtIn) ?? codeOfAttributeType(builtIn)} (${builtIn})`];
  };
  return [
    ...(code === null ? [] : problemOf('additionalProperties.code', code)),
    ...altCodes.flatMap((each) => problemOf('additionalProperties.altCodes', each)),
  ];
}

const codesOf = ({ code, alt_codes: altCodes }: EntryFacts): readonly string[] =>
  code === null ? [] : [code, ...altCodes];

/** Does a change alter how names are written? */
export const isOtherCode = (before: OidRow | undefined, after: EntryFacts | undefined): boolean =>
  (before?.code ?? null) !== (after?.code ?? null);

/** The names that the entries of administrators give, over those of the platform. */
export interface OidNames {
  /** Codes of attribute types, for reading and writing distinguished names. */
  readonly codes: NameCodes;
  /** The name that an entry gives, if there is one. */
  nameOf(oid: string): string | undefined;
  /** The name of an extended key usage; the identifier where it has none. */
  keyUsage(oid: string): string;
}

export function namesOf(rows: readonly OidRow[]): OidNames {
  const types = rows.filter(({ code }) => code !== null);
  const usages = new Map(
    rows.filter(({ category }) => category === 'extendedKeyUsage').map((row) => [row.oid, row.display_name]),
  );
  const given = new Map(rows.map((row) => [row.oid, row.display_name]));
  return {
    nameOf: (oid) => given.get(oid),
    codes: {
      byOid: new Map(types.map(({ oid, code }) => [oid, code ?? oid])),
      byCode: new Map(types.flatMap((row) => codesOf(row).map((code) => [code.toUpperCase(), row.oid]))),
    },
    keyUsage: (oid) => usages.get(oid) ?? SYSTEM_NAMES.get(oid) ?? EXTENDED_KEY_USAGE_NAMES.get(oid) ?? oid,
  };
}

/**
 * The identifiers that the interface names itself. They cannot be given other names; whatever else the platform knows
 * can be, because other installations of the interface leave those to their administrators.
 */
const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([
  [OID.emailAddress, 'Email'],
  [OID.commonName, 'Common Name'],
  [OID.organizationalUnitName, 'Organization Unit'],
  [OID.organizationName, 'Organization'],
  [OID.localityName, 'Locality'],
  [OID.stateOrProvinceName, 'State'],
  [OID.domainComponent, 'Domain Component'],
  [OID.countryName, 'Country'],
  [OID.dnQualifier, 'Distinguished Name Qualifier'],
  [OID.title, 'Title'],
  [OID.surname, 'Surname'],
  [OID.givenName, 'Given Name'],
  [OID.initials, 'Initials'],
  [OID.pseudonym, 'Pseudonym'],
  [OID.generationQualifier, 'Generation Qualifier'],
  [OID.serverAuth, 'TLS Web Server Authentication'],
  [OID.clientAuth, 'TLS Web Client Authentication'],
  [OID.codeSigning, 'Code Signing'],
  [OID.emailProtection, 'Email Protection'],
  [OID.timeStamping, 'Time Stamping'],
  [OID.ocspSigning, 'OCSP Signing'],
  [OID.msDocumentSigning, 'Document Signing'],
  [OID.ipsecUser, 'IPSec User'],
  [OID.ipsecEndSystem, 'IPSec End System'],
  [OID.ipsecTunnel, 'IPSec Tunnel'],
  [OID.adobeDocumentSigning, 'Authentic Documents Trust'],
]);
