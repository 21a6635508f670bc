// CsrAttrs: what an EST server requires in a client's CSR (RFC 7030 §4.5.2, RFC 9908). The sequence contains OIDs and
// attributes with values; the template, an additional attribute, has the structure of a CSR.
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
 * Returns CsrAttrs in DER, OIDs first. Throws `PkiError` for names and values that cannot be encoded, and for duplicate
 * extensions.
 */
export function buildCsrAttributes(requested: RequestedCsrAttributes): Uint8Array<ArrayBuffer> {
  const { identifiers, key, subject = [], extensions = [], template } = requested;
  const isComplete = (extension: RequestedExtension) => extension.value !== undefined && extension.isPartial !== true;
  const named = [
    ...identifiers,
    // CsrAttrs cannot carry subject values: RFC 9908 §5 only lists the attribute types.
    ...subject.map(({ type }) => requestedNameType(type)),
    ...extensions.filter((extension) => !isComplete(extension)).map(({ oid }) => oid),
  ];
  return encodeDer(
    sequence([
      ...[...new Set(named)].map(oidPart),
      key && keyPart(key),
      extensionRequestPart(extensions.filter(isComplete)),
      template ? attributePart(OID.certificationRequestInfoTemplate, [csrTemplatePart(requested)]) : undefined,
    ]),
  );
}

/** Builds an attribute whose type is the algorithm and whose value is its parameter, as in the example in §4.5.2. */
const keyPart = (key: RequestedKey): DerPart =>
  'curve' in key
    ? sequence([oidPart(OID.ecPublicKey), setOf([oidPart(key.curve)])])
    : sequence([oidPart(OID.rsaEncryption), setOf([integerPart(key.rsaBits)])]);
