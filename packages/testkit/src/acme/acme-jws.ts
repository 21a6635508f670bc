// Builds the JWS of a request, and breaks it on purpose: every step between header and JSON can be replaced.
import { createHmac } from 'node:crypto';

/** Flattened JWS (RFC 7515 §7.2.2). */
export interface FlatJws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

export interface JwsOverrides {
  /** Changes the protected header; undefined members are removed. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Changes the text of the protected header, for text that no JSON serializer would produce. */
  readonly headerText?: (text: string) => string;
  /** Replaces the signature. Receives the valid one. */
  readonly signature?: (signature: Buffer, data: Uint8Array) => Uint8Array;
  /** Replaces the JWS. Receives the flattened one. */
  readonly form?: (jws: FlatJws) => unknown;
}

export interface JwsInput {
  readonly header: Readonly<Record<string, unknown>>;
  /** `undefined` means POST-as-GET, text and bytes are sent unchanged, everything else as JSON. */
  readonly payload: unknown;
  readonly sign: (data: Uint8Array) => Buffer;
}

/** Returns a JWS as a value for JSON.stringify: flattened, unless `form` replaces it. */
export function makeJws({ header, payload, sign }: JwsInput, overrides: JwsOverrides = {}): unknown {
  const text = JSON.stringify({ ...header, ...overrides.header });
  const protectedHeader = base64url(overrides.headerText?.(text) ?? text);
  const body = base64url(payloadOctets(payload));
  const data = Buffer.from(`${protectedHeader}.${body}`);
  const good = sign(data);
  const signature = base64url(overrides.signature?.(good, data) ?? good);
  const jws = { protected: protectedHeader, payload: body, signature };
  return overrides.form?.(jws) ?? jws;
}

function payloadOctets(payload: unknown): string | Uint8Array {
  if (payload === undefined) return '';
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
}

export function base64url(value: string | Uint8Array): string {
  return Buffer.from(value).toString('base64url');
}

export interface ExternalAccount {
  readonly keyId: string;
  /** Bytes, or base64url as CAs provide it. */
  readonly macKey: Uint8Array | string;
}

export interface BindingInput {
  readonly account: ExternalAccount;
  /** URL of newAccount. */
  readonly url: string;
  /** Account key that is bound. */
  readonly jwk: Readonly<Record<string, string>>;
}

const HMAC_DIGESTS: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/**
 * Returns the `externalAccountBinding` of a new account (RFC 8555 §7.3.4). The header's algorithm determines the MAC.
 */
export function bindExternalAccount({ account, url, jwk }: BindingInput, overrides: JwsOverrides = {}): unknown {
  const header = { alg: 'HS256', kid: account.keyId, url };
  const key = typeof account.macKey === 'string' ? Buffer.from(account.macKey, 'base64url') : account.macKey;
  const digest = HMAC_DIGESTS[String({ ...header, ...overrides.header }.alg)] ?? 'sha256';
  return makeJws({ header, payload: jwk, sign: (data) => createHmac(digest, key).update(data).digest() }, overrides);
}
