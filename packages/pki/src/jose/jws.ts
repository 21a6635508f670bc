// The flattened JSON form of a JWS (RFC 7515 §7.2.2) as ACME uses it (RFC 8555 §6.2). Reading only: nothing here is
// trusted until `verifyJws` or `verifyJwsMac` says so. Header parameters that point elsewhere (`jku`, `x5u`) are never
// followed.
import { encodeUtf8 } from '../der/text.ts';
import { fromBase64Url } from '../base64.ts';
import { JoseError } from './jose-error.ts';
import { MAX_JSON_BYTES, parseStrictJson } from './strict-json.ts';

/** The protected header, as far as anybody here looks at it. */
export interface JwsHeader {
  readonly alg: string;
  /** A key, to be read by `readJwk`. Never together with `kid` (RFC 8555 §6.2). */
  readonly jwk?: Readonly<Record<string, unknown>>;
  readonly kid?: string;
  /** In base64url, perhaps empty (RFC 8555 §6.5.2). */
  readonly nonce?: string;
  readonly url?: string;
}

export interface Jws {
  readonly header: JwsHeader;
  /** No octets at all for POST-as-GET (RFC 8555 §6.3), `{}` for an empty object. */
  readonly payload: Uint8Array<ArrayBuffer>;
  /** ASCII(BASE64URL(header) || '.' || BASE64URL(payload)) (RFC 7515 §5.1). */
  readonly signingInput: Uint8Array;
  readonly signature: Uint8Array;
}

/** Characters of base64url for the octets that `parseStrictJson` takes. */
const MAX_HEADER_CHARACTERS = Math.ceil((MAX_JSON_BYTES * 4) / 3);

/**
 * Reads a JWS from its parsed JSON. Throws `JoseError` `malformed`: other serializations, an unprotected header,
 * members that are no strings, base64url that is padded or not canonical, a header that is no JSON object, too large or
 * with a member twice, `crit` (no extension is understood, RFC 7515 §4.1.11), `b64` (RFC 7797), `jwk` together with
 * `kid`, a nonce that is no base64url. Unknown members beside the three are ignored (RFC 7515 §7.2.1).
 */
export function parseJws(value: unknown): Jws {
  if (!isObject(value)) throw malformed('A JWS is a JSON object.');
  if (value['signatures'] !== undefined) throw malformed('A JWS with several signatures is not accepted.');
  if (value['header'] !== undefined) throw malformed('A JWS with an unprotected header is not accepted.');
  const { protected: header, payload, signature } = value;
  if (typeof header !== 'string' || typeof payload !== 'string' || typeof signature !== 'string') {
    throw malformed('A JWS has the members "protected", "payload" and "signature", each a string.');
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
    throw new JoseError('malformed', 'A member of the JWS is not base64url without padding.', { cause });
  }
}

function readHeader(value: unknown): JwsHeader {
  if (!isObject(value)) throw malformed('The protected header is not a JSON object.');
  const { alg, jwk, kid, nonce, url, crit, b64 } = value;
  if (crit !== undefined) throw malformed('The protected header has critical extensions, and none is understood.');
  if (b64 !== undefined) throw malformed('The option "b64" is not accepted.');
  if (typeof alg !== 'string') throw malformed('The protected header lacks "alg", or it is not a string.');
  if (jwk !== undefined && kid !== undefined) throw malformed('The protected header has both "jwk" and "kid".');
  if (jwk !== undefined && !isObject(jwk)) throw malformed('The "jwk" of the protected header is not a JSON object.');
  if (!isText(kid)) throw malformed('The "kid" of the protected header is not a string.');
  if (!isText(url)) throw malformed('The "url" of the protected header is not a string.');
  if (!isText(nonce) || !NONCE.test(nonce ?? ''))
    throw malformed('The "nonce" of the protected header is not base64url.');
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
