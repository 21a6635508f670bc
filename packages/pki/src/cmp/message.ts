// Decoding and encoding of PKIMessage (RFC 9810 §5.1). Decoding takes two steps, so that a message with an unreadable
// body still receives a response in its transaction. Encoding also takes two steps: `buildProtectedPart` returns the
// bytes to sign, and `assemblePkiMessage` combines them with the signature or MAC, so the key can be stored anywhere.
import { withFieldNames } from '../der/field-names.ts';
import { PKI_MESSAGE_FIELDS } from '../der/known-fields.ts';
import { bitStringPart, encodeDer, explicitPart, primitive, sequence } from '../der/writer.ts';
import { bodyTypeOf, readBody, type PkiBody, type PkiBodyType } from './body.ts';
import { pkiBodyPart, type PkiBodyInput } from './body-builder.ts';
import { contentBytes, explicitContent, openDer, openElement, parseDer, readBitStringBytes } from '../der/reader.ts';
import { MAX_CERTIFICATES, MAX_PKI_MESSAGE } from './limits.ts';
import { pkiHeaderPart, readPkiHeader, type PkiHeader, type PkiHeaderInput } from './header.ts';
import { PkiError } from '../errors.ts';
import { readMembers, readSequenceDer } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { DerElement } from '../der/reader.ts';

export interface PkiMessage {
  readonly der: Uint8Array;
  readonly header: PkiHeader;
  readonly bodyType: PkiBodyType;
  /** Body element, for `readPkiBody`. */
  readonly body: DerElement;
  /** ProtectedPart (RFC 9810 §5.1.3): header and body as received, wrapped in a SEQUENCE. */
  readonly protectedPart: Uint8Array;
  /** A signature or a MAC. */
  readonly protection: Uint8Array | undefined;
  /** Encoded certificates; the one that protects the message comes first (RFC 9483 §3.3). */
  readonly extraCerts: readonly Uint8Array[];
}

/** Reads a message without decoding its body. Throws `DerError`, `PkiError` `bound-exceeded`. */
export function parsePkiMessage(der: Uint8Array, limits: { readonly maxOctets?: number } = {}): PkiMessage {
  const { maxOctets = MAX_PKI_MESSAGE } = limits;
  if (der.length > maxOctets)
    throw new PkiError('bound-exceeded', `The CMP message has ${der.length} bytes; the maximum is ${maxOctets}.`);
  return withFieldNames(der, PKI_MESSAGE_FIELDS, readWhole);
}

function readWhole(der: Uint8Array): PkiMessage {
  const outer = openDer(der);
  const headerElement = outer.next();
  const body = outer.next();
  const protection = outer.optional(0xa0);
  const extraCerts = outer.optional(0xa1);
  outer.finish();
  return {
    der,
    header: readPkiHeader(headerElement),
    bodyType: bodyTypeOf(body),
    body,
    protectedPart: encodeDer(primitive(TAG.sequence, body.source.subarray(headerElement.start, body.end))),
    protection: protection && readBitStringBytes(explicitContent(protection)),
    extraCerts:
      extraCerts === undefined
        ? []
        : readMembers(explicitContent(extraCerts), { max: MAX_CERTIFICATES, read: readSequenceDer }),
  };
}

/** Reads the body of a message. Throws `DerError`, `PkiError` `unsupported-version`. */
export function readPkiBody({ der, header, body }: PkiMessage): PkiBody {
  if (header.pvno < 1 || header.pvno > 3)
    throw new PkiError('unsupported-version', `CMP version ${header.pvno} is not supported. Use version 2 or 3.`);
  return withFieldNames(der, PKI_MESSAGE_FIELDS, () => readBody(body));
}

/** Returns an encoded ProtectedPart, over which to compute the signature or MAC. Throws `PkiError` `bad-argument`. */
export function buildProtectedPart(header: PkiHeaderInput, body: PkiBodyInput): Uint8Array {
  return encodeDer(sequence([pkiHeaderPart(header), pkiBodyPart(body)]));
}

/** The fields after the header and body. Without `protection`, the message is unprotected. */
export interface PkiMessageTrailer {
  readonly protection?: Uint8Array | undefined;
  /** The certificate that protects the message, followed by its chain, in DER. */
  readonly extraCerts?: readonly Uint8Array[];
}

/** Assembles the message from its protected part. */
export function assemblePkiMessage(protectedPart: Uint8Array, end: PkiMessageTrailer = {}): Uint8Array {
  const { protection, extraCerts = [] } = end;
  const element = parseDer(protectedPart);
  openElement(element, TAG.sequence);
  return encodeDer(
    sequence([
      contentBytes(element),
      protection && explicitPart(0, bitStringPart(protection)),
      extraCerts.length === 0 ? undefined : explicitPart(1, sequence(extraCerts)),
    ]),
  );
}
