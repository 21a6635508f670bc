// ContentInfo (RFC 5652 §3), the outermost layer of every message. BER is also accepted, because SCEP clients and mail
// programs use indefinite lengths. It is converted to DER here, so all inner layers are DER.
import { derFromBer } from '../der/ber.ts';
import { elementBytes, explicitContent, openDer, readOid } from '../der/reader.ts';
import { encodeDer, explicitPart, oidPart, sequence } from '../der/writer.ts';
import { PkiError } from '../errors.ts';

/** Maximum message size, far more than any certificate protocol needs. */
export const MAX_CMS_OCTETS: number = 32 * 1024 * 1024;

export interface ContentInfo {
  readonly contentType: string;
  /** The content in DER, such as a SignedData. */
  readonly content: Uint8Array;
}

/** Reads a ContentInfo in DER or BER. Throws `DerError`, `PkiError` `bound-exceeded`. */
export function parseContentInfo(message: Uint8Array): ContentInfo {
  if (message.length > MAX_CMS_OCTETS)
    throw new PkiError('bound-exceeded', `The message exceeds ${MAX_CMS_OCTETS} bytes.`);
  const cursor = openDer(derFromBer(message, { keepsChildrenOf: holdsSignedObjects }));
  const contentType = readOid(cursor.next());
  const content = elementBytes(explicitContent(cursor.take(0xa0)));
  cursor.finish();
  return { contentType, content };
}

/**
 * Returns the content of a message of the expected type. Throws the same errors as `parseContentInfo`, and
 * `bad-argument` for a different type.
 */
export function openContentInfo(message: Uint8Array, expectedType: string): Uint8Array {
  const { contentType, content } = parseContentInfo(message);
  if (contentType === expectedType) return content;
  throw new PkiError('bad-argument', `The message has content type ${contentType}; ${expectedType} is expected.`);
}

export function buildContentInfo({ contentType, content }: ContentInfo): Uint8Array<ArrayBuffer> {
  return encodeDer(sequence([oidPart(contentType), explicitPart(0, content)]));
}

const SIGNED_DATA = [0x30, 0xa0, 0x30];

/** Certificates and CRLs in a SignedData must keep their original bytes, which their signatures cover. */
const holdsSignedObjects = (tags: readonly number[]): boolean =>
  tags.length === 4 && (tags[3] === 0xa0 || tags[3] === 0xa1) && SIGNED_DATA.every((tag, at) => tags[at] === tag);
