// Parser for the flattened JWS JSON serialization (RFC 7515 §7.2.2) as used by ACME (RFC 8555 §6.2). The result must
// not be trusted until `verifyJws` or `verifyJwsMac` has succeeded. URLs in header parameters (`jku`, `x5u`) are never
// fetched.
import { encodeUtf8 } from '../der/text.ts';
import { fromBase64Url } from '../base64.ts';
import { JoseError } from './jose-error.ts';
import { MAX_JSON_BYTES, parseStrictJson } from './strict-json.ts';

/** The protected header, limited to the parameters that are used. */
export interface JwsHeader {
  readonly alg: string;
  /** A key, to be read with `readJwk`. Never present together with `kid` (RFC 8555 §6.2). */
  readonly jwk?: Readonly<Record<string, unknown>>;
  readonly kid?: string;
  /** In base64url; can be empty (RFC 8555 §6.5.2). */
  readonly nonce?: string;
  readonly url?: string;
}

export interface Jws {
  readonly header: JwsHeader;
  /** Empty for POST-as-GET (RFC 8555 §6.3), `{}` for an empty object. */
  readonly payload: Uint8Array<ArrayBuffer>;
  /** ASCII(BASE64URL(header) || '.' || BASE64URL(payload)) (RFC 7515 §5.1). */
  readonly signingInput: Uint8Array;
  readonly signature: Uint8Array;
}

/** Base64url length of the largest input that `parseStrictJson` accepts. */
const MAX_HEADER_CHARACTERS = Math.ceil((MAX_JSON_BYTES * 4) / 3);

/**
 * Reads a JWS from its parsed JSON. Throws `JoseError` `malformed` for other serializations, an unprotected header,
 * non-string members, padded or non-canonical base64url, a header that is not a JSON object, is too large or has a
 * duplicate member, `crit` (no extensions are supported, RFC 7515 §4.1.11), `b64` (RFC 7797), `jwk` together with
 * `kid`, and a nonce that is not base64url. Unknown members are ignored (RFC 7515 §7.2.1).
 */
export function parseJws(value: unknown): Jws {
  if (!isObject(value)) throw malformed('A JWS must be a JSON object.');
  if (value['signatures'] !== undefined) throw malformed('A JWS must not have multiple signatures.');
  if (value['header'] !== undefined) throw malformed('A JWS must not have an unprotected header.');
  const { protected: header, payload, signature } = value;
  if (typeof header !== 'string' || typeof payload !== 'string' || typeof signature !== 'string') {
    throw malformed('A JWS must have the members "protected", "payload" and "signature", all strings.');
  }
  if (header.length > MAX_HEADER_CHARACTERS) throw malformed('The protected header is too large.');
  return {
    header: readHeader(parseStrictJson(decode(header))),
    payload: decode(payload),
    signingInput: encodeUtf8(`${header}.${payload}`),
    signature: decode(signature),
  };
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64Url(text);
  } catch (cause) {
    throw new JoseError('malformed', 'All members of the JWS must be base64url without padding.', { cause });
  }
}

function readHeader(value: unknown): JwsHeader {
  if (!isObject(value)) throw malformed('The protected header must be a JSON object.');
  const { alg, jwk, kid, nonce, url, crit, b64 } = value;
  if (crit !== undefined) throw malformed('The protected header must not contain "crit": no extensions are supported.');
  if (b64 !== undefined) throw malformed('The header parameter "b64" is not supported.');
  if (typeof alg !== 'string')
    throw malformed('The "alg" parameter of the protected header is missing or not a string.');
  if (jwk !== undefined && kid !== undefined)
    throw malformed('The protected header must not contain both "jwk" and "kid".');
  if (jwk !== undefined && !isObject(jwk))
    throw malformed('The "jwk" parameter of the protected header must be a JSON object.');
  if (!isText(kid)) throw malformed('The "kid" parameter of the protected header must be a string.');
  if (!isText(url)) throw malformed('The "url" parameter of the protected header must be a string.');
  if (!isText(nonce) || !NONCE.test(nonce ?? ''))
    throw malformed('The "nonce" parameter of the protected header must be base64url.');
  return {
    alg,
    ...(jwk !== undefined && { jwk }),
    ...(kid !== undefined && { kid }),
    ...(nonce !== undefined && { nonce }),
    ...(url !== undefined && { url }),
  };
}

const NONCE = /^[A-Za-z0-9_-]*$/;

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string): JoseError {
  return new JoseError('malformed', message);
}
