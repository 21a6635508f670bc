// CSR attributes that a profile requests from clients, and their validation. Pure.
import type { EstKeyType, EstRequestedAttributes } from '@signetry/contract';
import {
  attributeTypeOfCode,
  buildCsrAttributes,
  DerError,
  OID,
  parseDer,
  PkiError,
  requestedAltNamesExtension,
  type RequestedCsrAttributes,
  type RequestedExtension,
  type RequestedKey,
} from '@signetry/pki';

/** The first two arcs are encoded together (X.690 §8.19.4). */
const OBJECT_IDENTIFIER = /^(?:[01]\.(?:[1-3]?\d)|2\.(?:0|[1-9]\d{0,9}))(?:\.(?:0|[1-9]\d{0,9}))+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const KEYS: Readonly<Record<EstKeyType, RequestedKey>> = {
  ecdsaP256: { curve: OID.secp256r1 },
  ecdsaP384: { curve: OID.secp384r1 },
  ecdsaP521: { curve: OID.secp521r1 },
  rsa2048: { rsaBits: 2048 },
  rsa3072: { rsaBits: 3072 },
  rsa4096: { rsaBits: 4096 },
};

/**
 * Returns the CSR attributes for clients. `isLinked`: requests require channel binding, which the response must
 * indicate (RFC 7030 §4.5.2).
 */
export const csrAttributesOf = (
  { keyType, subject, template, attributes = [], ...asked }: EstRequestedAttributes,
  { isLinked }: { readonly isLinked: boolean },
): RequestedCsrAttributes => ({
  identifiers: [...attributes, ...(isLinked ? [OID.challengePassword] : [])],
  key: keyType && KEYS[keyType],
  subject,
  extensions: extensionsOf(asked),
  template,
});

function extensionsOf(
  asked: Pick<EstRequestedAttributes, 'dnsNames' | 'ipAddress' | 'extensions' | 'extensionValues'>,
): RequestedExtension[] {
  const { dnsNames = [], ipAddress = false, extensions = [], extensionValues = [] } = asked;
  return [
    ...(dnsNames.length > 0 || ipAddress ? [requestedAltNamesExtension({ dnsNames, ipAddress })] : []),
    ...extensionValues.map(({ oid, critical, value }) => ({ oid, critical, value: Buffer.from(value, 'base64') })),
    ...extensions.map((oid) => ({ oid })),
  ];
}

export function problemsOfRequested(asked: EstRequestedAttributes): string[] {
  const { attributes = [], extensions = [], subject = [], extensionValues = [] } = asked;
  const named = [...attributes, ...extensions, ...extensionValues.map(({ oid }) => oid)];
  const problems = [
    ...named.filter((each) => !OBJECT_IDENTIFIER.test(each)).map((each) => `${quoted(each)} is not an object identifier in dotted-decimal notation`), // prettier-ignore
    ...subject.filter(({ type }) => !isNameType(type)).map(({ type }) => `subject: ${quoted(type)} is neither a name attribute, such as CN, nor its object identifier`), // prettier-ignore
    ...extensionValues.filter(({ value }) => !isDer(value)).map(({ oid }) => `extensionValues: the value of ${quoted(oid)} is not Base64-encoded DER`), // prettier-ignore
    ...repeatedExtensions(asked).map((oid) => `the extension ${oid} is listed more than once`),
  ];
  if (problems.length === 0) problems.push(...problemsOfEncoding(asked));
  return problems.map((problem) => `requestedAttributes: ${problem}`);
}

const quoted = (text: string): string => JSON.stringify(text);

const isNameType = (type: string): boolean => {
  const oid = attributeTypeOfCode(type);
  return oid !== undefined && OBJECT_IDENTIFIER.test(oid);
};

function isDer(value: string): boolean {
  if (value === '' || !BASE64.test(value)) return false;
  try {
    parseDer(Buffer.from(value, 'base64'));
    return true;
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
}

function repeatedExtensions({
  extensions = [],
  extensionValues = [],
  dnsNames = [],
  ipAddress,
}: EstRequestedAttributes) {
  const altNames = dnsNames.length > 0 || ipAddress ? [OID.subjectAltName] : [];
  const oids = [...altNames, ...extensionValues.map(({ oid }) => oid), ...extensions];
  return [...new Set(oids.filter((oid, place) => oids.indexOf(oid) < place))];
}

/** Returns problems that only show during encoding, e.g. characters that a country name cannot contain. */
function problemsOfEncoding(asked: EstRequestedAttributes): string[] {
  try {
    buildCsrAttributes(csrAttributesOf({ ...asked, template: true }, { isLinked: false }));
    return [];
  } catch (error) {
    if (error instanceof PkiError) return [error.message.replace(/\.$/, '')];
    throw error;
  }
}
