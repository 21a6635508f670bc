// Validates entries, and provides the names that they define. Pure.
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

/** An entry's definition of an OID. */
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

/** Returns all problems with an entry; `others` are the entries of all other OIDs. */
export function problemsOfEntry(entry: EntryFacts, others: readonly OidRow[]): readonly string[] {
  return [...problemsOfOid(entry.oid), ...(problemOfMembers(entry) ?? problemsOfCodes(entry, others))];
}

function problemsOfOid(oid: string): readonly string[] {
  if (!isOid(oid))
    return [
      `oid: ${oid.slice(0, MAX_SHOWN)} is not an object identifier: after 0 or 1, the second number must be at most 39, and the length must be at most 384 characters`,
    ];
  const systemName = SYSTEM_NAMES.get(oid);
  return systemName === undefined ? [] : [`oid: ${oid} already has the built-in name ${systemName}`];
}

const MAX_SHOWN = 100;

/** Only attribute types have codes, and each must have one. */
function problemOfMembers({ category, code, alt_codes: altCodes }: EntryFacts): readonly string[] | undefined {
  if (category === 'rdnAttributeType')
    return code === null
      ? ['additionalProperties.code: is required for attribute types of distinguished names']
      : undefined;
  return code === null && altCodes.length === 0
    ? undefined
    : [`additionalProperties: only attribute types of distinguished names (category rdnAttributeType) can have codes`];
}

/**
 * A code identifies a single attribute type, regardless of case. Otherwise, names entered by users would be ambiguous.
 */
function problemsOfCodes({ oid, code, alt_codes: altCodes }: EntryFacts, others: readonly OidRow[]): readonly string[] {
  const taken = new Map(others.flatMap((other) => codesOf(other).map((each) => [each.toUpperCase(), other])));
  const seen = new Set<string>();
  const problemOf = (place: string, given: string): string[] => {
    const key = given.toUpperCase();
    if (seen.has(key)) return [`${place}: ${given} is listed more than once; codes are not case-sensitive`];
    seen.add(key);
    const other = taken.get(key);
    if (other) return [`${place}: ${given} is already a code of ${other.display_name} (${other.oid})`];
    const builtIn = attributeTypeOfCode(key);
    return builtIn === undefined || builtIn === oid
      ? []
      : [
          `${place}: ${given} is a built-in code of ${SYSTEM_NAMES.get(builtIn) ?? codeOfAttributeType(builtIn)} (${builtIn})`,
        ];
  };
  return [
    ...(code === null ? [] : problemOf('additionalProperties.code', code)),
    ...altCodes.flatMap((each) => problemOf('additionalProperties.altCodes', each)),
  ];
}

const codesOf = ({ code, alt_codes: altCodes }: EntryFacts): readonly string[] =>
  code === null ? [] : [code, ...altCodes];

/** Returns whether a change affects how distinguished names are written. */
export const isCodeChanged = (before: OidRow | undefined, after: EntryFacts | undefined): boolean =>
  (before?.code ?? null) !== (after?.code ?? null);

/** Names from administrators' entries. They take precedence over built-in names. */
export interface OidNames {
  /** Attribute type codes, for reading and writing distinguished names. */
  readonly codes: NameCodes;
  /** Returns the name from an entry; undefined if there is no entry. */
  nameOf(oid: string): string | undefined;
  /** Returns the name of an extended key usage, or the OID if it has no name. */
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
 * OIDs that the API specification names; they cannot be renamed. All other OIDs that the platform knows can be renamed,
 * because other implementations of the API leave their names to administrators.
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
