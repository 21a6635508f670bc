// Checks for subject and issuer name attributes in certificates and CSRs.
import { codeOfAttributeType, type NameAttribute } from '../names.ts';
import { OID } from '../oids.ts';
import { TAG } from '../der/tags.ts';
import type { Violation } from './rule.ts';

/** Upper bounds from RFC 5280 appendix A.1, in characters. */
const NAME_BOUNDS: ReadonlyMap<string, number> = new Map([
  [OID.commonName, 64],
  [OID.organizationName, 64],
  [OID.organizationalUnitName, 64],
  [OID.localityName, 128],
  [OID.stateOrProvinceName, 128],
  [OID.title, 64],
  [OID.serialNumber, 64],
  [OID.pseudonym, 128],
  [OID.surname, 32768],
  [OID.givenName, 32768],
  [OID.initials, 32768],
  [OID.generationQualifier, 32768],
  [OID.emailAddress, 255],
]);

/** String types that RFC 5280 appendix A.1 prescribes for individual attributes. */
const FIXED_STRING_TYPES: ReadonlyMap<string, number> = new Map<string, number>([
  [OID.countryName, TAG.printableString],
  [OID.serialNumber, TAG.printableString],
  [OID.dnQualifier, TAG.printableString],
  [OID.domainComponent, TAG.ia5String],
  [OID.emailAddress, TAG.ia5String],
]);

const OLD_STRING_TYPES: readonly number[] = [TAG.teletexString, TAG.bmpString, TAG.universalString];

/** The characters of restricted string types (X.680 §41). */
const CHARACTERS: ReadonlyMap<number, RegExp> = new Map<number, RegExp>([
  [TAG.printableString, /^[A-Za-z0-9 '()+,\-./:=?]*$/],
  // oxlint-disable-next-line no-control-regex -- IA5String is ASCII, which includes the controls
  [TAG.ia5String, /^[\x00-\x7f]*$/],
]);

/** Country codes assigned in ISO 3166-1. */
const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCY' +
    'CZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISIT' +
    'JEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNI' +
    'NLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTK' +
    'TLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW'
  ).match(/../g),
);

/** Returns whether an uppercase code is assigned in ISO 3166-1. */
export const isCountry = (code: string): boolean => COUNTRIES.has(code);

type Attributes = readonly NameAttribute[];

/** Returns a violation for the first attribute with a problem; `problem` returns the predicate of a sentence. */
function firstViolation(
  attributes: Attributes,
  isWrong: (attribute: NameAttribute) => boolean,
  problem: (attribute: NameAttribute) => string,
): Violation | undefined {
  const wrong = attributes.find(isWrong);
  if (wrong === undefined) return undefined;
  return { message: `The attribute ${codeOfAttributeType(wrong.type)} ${problem(wrong)}.`, value: wrong.value };
}

export const lengthProblem = (attributes: Attributes): Violation | undefined =>
  firstViolation(
    attributes,
    ({ type, value }) => value === '' || [...value].length > (NAME_BOUNDS.get(type) ?? Infinity),
    ({ type }) => {
      const bound = NAME_BOUNDS.get(type);
      return bound === undefined ? 'is empty' : `is empty or longer than ${bound} characters`;
    },
  );

export const stringTypeProblem = (attributes: Attributes): Violation | undefined =>
  firstViolation(
    attributes,
    ({ type, tag }) => {
      const fixed = FIXED_STRING_TYPES.get(type);
      return fixed === undefined ? OLD_STRING_TYPES.includes(tag) : tag !== fixed;
    },
    () => 'has a string type that is not allowed',
  );

export const characterProblem = (attributes: Attributes): Violation | undefined =>
  firstViolation(
    attributes,
    ({ tag, value }) => CHARACTERS.get(tag)?.test(value) === false,
    () => 'contains characters that its string type does not allow',
  );

export const spaceProblem = (attributes: Attributes): Violation | undefined =>
  firstViolation(
    attributes,
    ({ value }) => /^\s|\s$|\s\s/u.test(value),
    () => 'has leading, trailing or consecutive spaces',
  );

/** References of HTML that web forms and databases leave in names: `&amp;`, `&#39;`, `&uuml;`. */
const HTML_ENTITY =
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp|copy|reg|trade|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron)|szlig|[ln]dash|[lr][sd]quo);/i;

export const htmlProblem = (attributes: Attributes): Violation | undefined =>
  firstViolation(
    attributes,
    ({ value }) => HTML_ENTITY.test(value),
    ({ value }) => `contains the HTML character reference "${HTML_ENTITY.exec(value)?.[0] ?? ''}"`,
  );

/** Returns a violation for a country code that does not consist of two uppercase letters. */
export const countryProblem = (attributes: Attributes): Violation | undefined => {
  const wrong = attributes.find(({ type, value }) => type === OID.countryName && !/^[A-Z]{2}$/.test(value));
  return (
    wrong && { message: `The country "${wrong.value.slice(0, 32)}" must be two uppercase letters.`, value: wrong.value }
  );
};

/** Returns a violation for an unassigned country code of two uppercase letters. XX and ZZ are for private use. */
export const unassignedCountry = (attributes: Attributes): Violation | undefined => {
  const wrong = attributes.find(
    ({ type, value }) => type === OID.countryName && /^[A-Z]{2}$/.test(value) && !isCountry(value),
  );
  return wrong && { message: `The country code ${wrong.value} is not assigned in ISO 3166-1.`, value: wrong.value };
};
