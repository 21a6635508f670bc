// CsrAttrs: what an EST server tells clients of the requests they are to make (RFC 7030 §4.5.2, RFC 9908). The list
// has identifiers and values side by side; the template, one more entry of it, has the shape of a request.
import { encodeDer, integerPart, oidPart, sequence, setOf, type DerPart } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { attributePart } from '../x509/attributes.ts';
import { csrTemplatePart } from './csr-template.ts';
import {
  extensionRequestPart,
  requestedNameType,
  type RequestedCsrAttributes,
  type RequestedExtension,
  type RequestedKey,
} from './requested-contents.ts';

/**
 * DER of CsrAttrs, identifiers first. Throws `PkiError` for names and values that cannot be encoded and for an
 * extension that is given twice.
 */
export function buildCsrAttributes(requested: RequestedCsrAttributes): Uint8Array<ArrayBuffer> {
  const { identifiers, key, subject = [], extensions = [], template } = requested;
  const isWhole = (extension: RequestedExtension) => extension.value !== undefined && extension.isPartial !== true;
  const named = [
    ...identifiers,
    // The list has no place for values of the subject: RFC 9908 §5 names the types of its attributes.
    ...subject.map(({ type }) => requestedNameType(type)),
    ...extensions.filter((extension) => !isWhole(extension)).map(({ oid }) => oid),
  ];
  return encodeDer(
    sequence([
      ...[...new Set(named)].map(oidPart),
      key && keyPart(key),
      extensionRequestPart(extensions.filter(isWhole)),
      template ? attributePart(OID.certificationRequestInfoTemplate, [csrTemplatePart(requested)]) : undefined,
    ]),
  );
}

/** An attribute whose type is the algorithm and whose value is its parameter, as in the example of §4.5.2. */
const keyPart = (key: RequestedKey): DerPart =>
  'curve' in key
    ? sequence([oidPart(OID.ecPublicKey), setOf([oidPart(key.curve)])])
    : sequence([oidPart(OID.rsaEncryption), setOf([integerPart(key.rsaBits)])]);
