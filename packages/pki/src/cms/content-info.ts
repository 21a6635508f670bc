// ContentInfo (RFC 5652 §3), the outermost layer of every message. It is read from BER as well, since clients of SCEP
// and mail programs write indefinite lengths; inside it everything is DER from here on.
import { derFromBer } from '../der/ber.ts';
import { elementBytes, explicitContent, openDer, readOid } from '../der/reader.ts';
import { encodeDer, explicitPart, oidPart, sequence } from '../der/writer.ts';
import { PkiError } from '../errors.ts';

/** Most octets of a message, far more than any certificate protocol sends. */
export const MAX_CMS_OCTETS: number = 32 * 1024 * 1024;

export interface ContentInfo {
  readonly contentType: string;
  /** The content in DER, such as a SignedData. */
  readonly content: Uint8Array;
}

/** Reads a ContentInfo in DER or BER. Throws `DerError`, `PkiError` `bound-exceeded`. */
export function parseContentInfo(message: Uint8Array): ContentInfo {
  if (message.length > MAX_CMS_OCTETS)
    throw new PkiError('bound-exceeded', `The message is larger than ${MAX_CMS_OCTETS} octets.`);
  const cursor = openDer(derFromBer(message, { keepsChildrenOf: holdsSignedObjects }));
  const contentType = readOid(cursor.next());
  const content = elementBytes(explicitContent(cursor.take(0xa0)));
  cursor.finish();
  return { contentType, content };
}

/** The content of a message that must be of this type. Throws as `parseContentInfo`, and `bad-argument`. */
export function openContentInfo(message: Uint8Array, expectedType: string): Uint8Array {
  const { contentType, content } = parseContentInfo(message);
  if (contentType === expectedType) return content;
  throw new PkiError('bad-argument', `The message holds the type ${contentType} where ${expectedType} is expected.`);
}

export function buildContentInfo({ contentType, content }: ContentInfo): Uint8Array<ArrayBuffer> {
  return encodeDer(sequence([oidPart(contentType), explicitPart(0, content)]));
}

const SIGNED_DATA = [0x30, 0xa0, 0x30];

/** Certificates and CRLs of a SignedData are signed in the octets that they came in. */
const holdsSignedObjects = (tags: readonly number[]): boolean =>
  tags.length === 4 && (tags[3] === 0xa0 || tags[3] === 0xa1) && SIGNED_DATA.every((tag, at) => tags[at] === tag);
