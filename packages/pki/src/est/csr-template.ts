// CertificationRequestInfoTemplate (RFC 9908 §3.4, appendix A): a request of PKCS#10 without signature, in which what
// the client is to fill in is left out.
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

/** The template. Attributes without values have no form in it (RFC 2986 §4.1) and are left out. */
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

/** A public key is there to show the size of an RSA modulus, and absent otherwise. */
const keyTemplateParts = (key: RequestedKey): readonly DerPart[] =>
  'curve' in key
    ? [sequence([oidPart(OID.ecPublicKey), oidPart(key.curve)])]
    : [sequence([oidPart(OID.rsaEncryption), nullPart()]), bitStringPart(placeholderRsaKey(key.rsaBits))];

/** RSAPublicKey with a modulus of this size that nobody can use: all of its bits are set. */
function placeholderRsaKey(bits: number): Uint8Array {
  if (bits % 8 !== 0) throw new PkiError('bad-argument', 'The size of an RSA key is a multiple of eight.');
  return encodeDer(sequence([integerPart(new Uint8Array(bits / 8).fill(0xff)), integerPart(RSA_EXPONENT)]));
}

/** The usual attribute where every value is given; its own form, which allows none, otherwise. Never both of them. */
function extensionsAttribute(extensions: readonly RequestedExtension[]): DerPart | undefined {
  if (extensions.every(({ value }) => value !== undefined)) return extensionRequestPart(extensions);
  const oids = new Set(extensions.map(({ oid }) => oid));
  if (oids.size < extensions.length) throw new PkiError('bad-argument', 'An extension is given twice.');
  return attributePart(OID.extensionReqTemplate, [sequence(extensions.map(extensionTemplatePart))]);
}

const extensionTemplatePart = ({ oid, critical, value }: RequestedExtension): DerPart =>
  sequence([oidPart(oid), critical ? booleanPart(true) : undefined, value && octetStringPart(value)]);
