// CertificationRequestInfoTemplate (RFC 9908 §3.4, appendix A): an unsigned PKCS #10 request that omits the values to
// be filled in by the client.
import { contentBytes, parseDer } from '../der/reader.ts';
import {
  bitStringPart,
  booleanPart,
  encodeDer,
  implicitConstructed,
  integerPart,
  nullPart,
  octetStringPart,
  oidPart,
  sequence,
  setOf,
  type DerPart,
} from '../der/writer.ts';
import { PkiError } from '../errors.ts';
import { buildName } from '../names.ts';
import { OID } from '../oids.ts';
import { attributePart } from '../x509/attributes.ts';
import {
  extensionRequestPart,
  requestedNameType,
  type RequestedCsrAttributes,
  type RequestedExtension,
  type RequestedKey,
  type RequestedNameAttribute,
} from './requested-contents.ts';

const RSA_EXPONENT = 65_537;

/** Builds the template. Attributes without values cannot be represented in it (RFC 2986 §4.1) and are omitted. */
export const csrTemplatePart = ({ subject = [], key, extensions = [] }: RequestedCsrAttributes): DerPart =>
  sequence([
    integerPart(0),
    subject.length === 0 ? undefined : sequence(subject.map(rdnPart)),
    key && implicitConstructed(0, keyTemplateParts(key)),
    implicitConstructed(1, [extensions.length === 0 ? undefined : extensionsAttribute(extensions)]),
  ]);

function rdnPart({ type, value }: RequestedNameAttribute): DerPart {
  if (value === undefined) return setOf([sequence([oidPart(requestedNameType(type))])]);
  return contentBytes(parseDer(buildName([{ type, value }]).der));
}

/** A public key is present only to specify the size of an RSA modulus. */
const keyTemplateParts = (key: RequestedKey): readonly DerPart[] =>
  'curve' in key
    ? [sequence([oidPart(OID.ecPublicKey), oidPart(key.curve)])]
    : [sequence([oidPart(OID.rsaEncryption), nullPart()]), bitStringPart(placeholderRsaKey(key.rsaBits))];

/** Returns an unusable RSAPublicKey with a modulus of this size, in which all bits are set. */
function placeholderRsaKey(bits: number): Uint8Array {
  if (bits % 8 !== 0) throw new PkiError('bad-argument', 'The RSA key size must be a multiple of 8.');
  return encodeDer(sequence([integerPart(new Uint8Array(bits / 8).fill(0xff)), integerPart(RSA_EXPONENT)]));
}

/**
 * Returns an extensionRequest attribute if every extension has a value, otherwise an extensionReqTemplate, which allows
 * missing values. Both must never be present.
 */
function extensionsAttribute(extensions: readonly RequestedExtension[]): DerPart | undefined {
  if (extensions.every(({ value }) => value !== undefined)) return extensionRequestPart(extensions);
  const oids = new Set(extensions.map(({ oid }) => oid));
  if (oids.size < extensions.length) throw new PkiError('bad-argument', 'An extension must not occur twice.');
  return attributePart(OID.extensionReqTemplate, [sequence(extensions.map(extensionTemplatePart))]);
}

const extensionTemplatePart = ({ oid, critical, value }: RequestedExtension): DerPart =>
  sequence([oidPart(oid), critical ? booleanPart(true) : undefined, value && octetStringPart(value)]);
