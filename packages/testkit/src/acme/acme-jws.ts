// Builds the JWS of a request, and breaks it on purpose: every step between header and JSON can be replaced.
import { createHmac } from 'node:crypto';

/** The flattened form (RFC 7515 §7.2.2). */
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
  /** Replaces the signature. It gets the valid one. */
  readonly signature?: (signature: Buffer, data: Uint8Array) => Uint8Array;
  /** Replaces the JWS. It gets the flattened one. */
  readonly form?: (jws: FlatJws) => unknown;
}

export interface JwsInput {
  readonly header: Readonly<Record<string, unknown>>;
  /** `undefined` is POST-as-GET, text and octets go as they are, everything else as JSON. */
  readonly payload: unknown;
  readonly sign: (data: Uint8Array) => Buffer;
}

/** A JWS as a value for JSON.stringify: flattened, unless `form` makes another of it. */
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
  /** Octets, or base64url as CAs provide it. */
  readonly macKey: Uint8Array | string;
}

export interface BindingInput {
  readonly account: ExternalAccount;
  /** URL of newAccount. */
  readonly url: string;
  /** The account key that is bound. */
  readonly jwk: Readonly<Record<string, string>>;
}

const HMAC_DIGESTS: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** The `externalAccountBinding` of a new account (RFC 8555 §7.3.4). The MAC is that of the algorithm in the header. */
export function bindExternalAccount({ account, url, jwk }: BindingInput, overrides: JwsOverrides = {}): unknown {
  const header = { alg: 'HS256', kid: account.keyId, url };
  const key = typeof account.macKey === 'string' ? Buffer.from(account.macKey, 'base64url') : account.macKey;
  const digest = HMAC_DIGESTS[String({ ...header, ...overrides.header }.alg)] ?? 'sha256';
  return makeJws({ header, payload: jwk, sign: (data) => createHmac(digest, key).update(data).digest() }, overrides);
}
