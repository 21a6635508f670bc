// OCSP requests (RFC 6960 §4.1): decoding for responders, encoding for clients and tests. Signed requests can be
// decoded; the responder decides whether to verify the signature.
import {
  explicitContent,
  openDer,
  openElement,
  parseDer,
  readIntegerBetween,
  readOctetString,
  type DerElement,
} from '../der/reader.ts';
import { encodeDer, explicitPart, octetStringPart, sequence } from '../der/writer.ts';
import { extensionsPart } from '../x509/extension-parts.ts';
import { findExtension, readExtensions, type Extension } from '../x509/extensions.ts';
import { OID } from '../oids.ts';
import { DerError, PkiError } from '../errors.ts';
import { readCertId, type CertId } from './cert-id.ts';
import { readGeneralName, type GeneralName } from '../x509/general-names.ts';
import { TAG } from '../der/tags.ts';

/** Maximum number of certificates in one request. Clients ask about one certificate or about a chain. */
export const MAX_OCSP_REQUESTS = 128;
/** RFC 9654 §2.1. */
const MAX_NONCE = 128;

export interface OcspRequest {
  readonly certIds: readonly CertId[];
  readonly requestorName: GeneralName | undefined;
  /** Nonce of 1 to 128 bytes, which is repeated in the response. */
  readonly nonce: Uint8Array | undefined;
  readonly extensions: readonly Extension[];
  readonly isSigned: boolean;
  /** Unknown critical extensions, which a responder must not ignore. */
  readonly unknownCritical: readonly string[];
}

/** Reads a request in DER. Throws `DerError`, for which a responder returns `malformedRequest`. */
export function parseOcspRequest(der: Uint8Array): OcspRequest {
  const outer = openDer(der);
  const tbs = outer.open(TAG.sequence);
  const signature = outer.optional(0xa0);
  outer.finish();
  const version = tbs.optional(0xa0);
  if (version !== undefined) readIntegerBetween(explicitContent(version), { min: 0, max: 0 });
  const requestor = tbs.optional(0xa1);
  const list = tbs.open(TAG.sequence);
  const extensionsTag = tbs.optional(0xa2);
  tbs.finish();
  const critical: string[] = [];
  const collectCritical = (extensions: readonly Extension[]): void => {
    for (const { oid, critical: isCritical } of extensions) if (isCritical && oid !== OID.ocspNonce) critical.push(oid);
  };
  const certIds: CertId[] = [];
  while (!list.atEnd) {
    if (certIds.length === MAX_OCSP_REQUESTS) throw new DerError('too-many-elements', list.offset);
    certIds.push(readRequest(list.next(), collectCritical));
  }
  const extensions = extensionsTag === undefined ? [] : readExtensions(explicitContent(extensionsTag));
  collectCritical(extensions);
  return {
    certIds,
    requestorName: requestor && readGeneralName(explicitContent(requestor)),
    nonce: readNonce(extensions),
    extensions,
    isSigned: signature !== undefined,
    unknownCritical: critical,
  };
}

function readRequest(element: DerElement, note: (extensions: readonly Extension[]) => void): CertId {
  const cursor = openElement(element, TAG.sequence);
  const certId = readCertId(cursor.next());
  const extensions = cursor.optional(0xa0);
  cursor.finish();
  if (extensions !== undefined) note(readExtensions(explicitContent(extensions)));
  return certId;
}

/** Returns the value of the nonce extension (RFC 9654 §2.1: an OCTET STRING of 1 to 128 bytes). */
export function readNonce(extensions: readonly Extension[]): Uint8Array | undefined {
  const extension = findExtension(extensions, OID.ocspNonce);
  if (extension === undefined) return undefined;
  const element = parseDer(extension.value);
  const nonce = readOctetString(element);
  if (nonce.length === 0 || nonce.length > MAX_NONCE) {
    throw new DerError('bad-value', element.start, 'The nonce must have 1 to 128 bytes');
  }
  return nonce;
}

/** Returns an unsigned request for encoded CertIDs (`buildCertId`). Throws `PkiError` `bad-argument`. */
export function buildOcspRequest(input: { certIds: readonly Uint8Array[]; nonce?: Uint8Array }): Uint8Array {
  const { certIds, nonce } = input;
  if (certIds.length === 0)
    throw new PkiError('bad-argument', 'An OCSP request must contain at least one certificate ID.');
  const extensions = nonce === undefined ? undefined : explicitPart(2, nonceExtensions(nonce));
  return encodeDer(sequence([sequence([sequence(certIds.map((id) => sequence([id]))), extensions])]));
}

/** Returns extensions that contain a nonce, for requests and responses. */
export function nonceExtensions(nonce: Uint8Array): ReturnType<typeof extensionsPart> {
  if (nonce.length === 0 || nonce.length > MAX_NONCE)
    throw new PkiError('bad-argument', 'A nonce must have 1 to 128 bytes.');
  return extensionsPart([{ oid: OID.ocspNonce, critical: false, part: octetStringPart(nonce) }]);
}

/**
 * Decodes the path segment of an OCSP GET request: base64, percent-encoded (RFC 6960 appendix A.1). Throws `PkiError`.
 */
export function ocspRequestFromPath(segment: string): Uint8Array {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw new PkiError('bad-base64', 'The request path is not correctly percent-encoded.');
  }
  // Some clients leave `+` and `/` unescaped; others use the URL-safe alphabet.
  try {
    return Uint8Array.fromBase64(text.replaceAll('-', '+').replaceAll('_', '/').replaceAll(' ', '+'));
  } catch {
    throw new PkiError('bad-base64', 'The request path is not valid Base64.');
  }
}
