// Requests that a server must reject (RFC 8555 §6.2 to §6.5, RFC 8725): each breaks a valid request in one way. Keys
// serve as test names; `problems` are the problem types that the standard allows.
import { createHmac } from 'node:crypto';
import type { AcmeTestKey } from './acme-key.ts';
import { base64url, type FlatJws } from './acme-jws.ts';
import type { SignedOverrides } from './acme-client.ts';

export interface AbuseContext {
  /** Key that signs the request. */
  readonly key: AcmeTestKey;
  /** Key of the same type that has no account. */
  readonly foreignKey: AcmeTestKey;
  /** URL that the request is sent to. */
  readonly url: string;
  /** Account URL, for requests that name the account. */
  readonly accountUrl?: string;
}

export interface AcmeAbuse {
  readonly problems: readonly string[];
  readonly statuses: readonly number[];
  readonly overrides: (context: AbuseContext) => SignedOverrides;
}

const malformed = (overrides: AcmeAbuse['overrides']): AcmeAbuse => ({
  problems: ['malformed'],
  statuses: [400],
  overrides,
});
const badAlgorithm = (overrides: AcmeAbuse['overrides']): AcmeAbuse => ({
  problems: ['badSignatureAlgorithm', 'malformed'],
  statuses: [400],
  overrides,
});
/** A signature that fails verification has no problem type of its own. */
const badSignature = (signature: (good: Buffer, context: AbuseContext, data: Uint8Array) => Uint8Array): AcmeAbuse => ({
  problems: ['malformed', 'unauthorized'],
  statuses: [400, 401, 403],
  overrides: (context) => ({ signature: (good, data) => signature(good, context, data) }),
});
const form = (change: (jws: FlatJws) => unknown): AcmeAbuse => malformed(() => ({ form: change }));
const headerText = (change: (text: string) => string): AcmeAbuse => malformed(() => ({ headerText: change }));

/**
 * Returns the MAC that a server would expect if it took the algorithm from the header and used the key bytes as the
 * secret.
 */
const macWith =
  (secret: (key: AcmeTestKey) => string | Buffer): AcmeAbuse['overrides'] =>
  ({ key }) => ({
    header: { alg: 'HS256' },
    signature: (_, data) => createHmac('sha256', secret(key)).update(data).digest(),
  });

export const acmeAbuses = {
  'alg none without a signature': badAlgorithm(() => ({ header: { alg: 'none' }, signature: () => Buffer.of() })),
  'alg none with a good signature': badAlgorithm(() => ({ header: { alg: 'none' } })),
  'alg nOnE': badAlgorithm(() => ({ header: { alg: 'nOnE' }, signature: () => Buffer.of() })),
  'unknown alg': badAlgorithm(() => ({ header: { alg: 'ES257' } })),
  'HS256 with the public key in DER': badAlgorithm(
    macWith((key) => key.publicKey.export({ type: 'spki', format: 'der' })),
  ),
  'HS256 with the public key in PEM': badAlgorithm(
    macWith((key) => key.publicKey.export({ type: 'spki', format: 'pem' })),
  ),
  'HS256 with the JWK': badAlgorithm(macWith((key) => JSON.stringify(key.jwk))),
  'alg of a different key type': badAlgorithm(({ key }) => ({
    header: { alg: key.alg === 'RS256' ? 'ES256' : 'RS256' },
  })),
  'alg of a different curve': badAlgorithm(({ key }) => ({ header: { alg: key.alg === 'ES384' ? 'ES256' : 'ES384' } })),
  'no alg': malformed(() => ({ header: { alg: undefined } })),
  'jwk and kid together': malformed(({ key, url, accountUrl }) => ({
    header: { jwk: key.jwk, kid: accountUrl ?? url },
  })),
  'neither jwk nor kid': malformed(() => ({ header: { jwk: undefined, kid: undefined } })),
  'private key in jwk': {
    problems: ['badPublicKey', 'malformed'],
    statuses: [400],
    overrides: ({ key }) => ({ header: { kid: undefined, jwk: key.privateKey.export({ format: 'jwk' }) } }),
  },
  'critical extension': malformed(() => ({ header: { crit: ['exp'], exp: 4_102_444_800 } })),
  'empty list of critical extensions': malformed(() => ({ header: { crit: [] } })),
  'b64 false': malformed(() => ({ header: { b64: false, crit: ['b64'] } })),
  'b64 false without crit': malformed(() => ({ header: { b64: false } })),
  'unprotected header': form((jws) => ({ ...jws, header: { alg: 'none' } })),
  'only an unprotected header': form(({ payload, signature, protected: text }) => ({
    payload,
    signature,
    header: JSON.parse(Buffer.from(text, 'base64url').toString()) as object, // written by makeJws
  })),
  'general form': form(({ payload, ...jws }) => ({ payload, signatures: [jws] })),
  'general form with two signatures': form(({ payload, ...jws }) => ({ payload, signatures: [jws, jws] })),
  'signature and signatures together': form((jws) => ({ ...jws, signatures: [jws] })),
  // written by makeJws
  'compact form': malformed(() => ({ body: (json) => Object.values(JSON.parse(json) as FlatJws).join('.') })),
  'padded header': form((jws) => ({ ...jws, protected: padded(jws.protected) })),
  'padded payload': form((jws) => ({ ...jws, payload: padded(jws.payload) })),
  'padded signature': form((jws) => ({ ...jws, signature: padded(jws.signature) })),
  'line break in the signature': form((jws) => ({ ...jws, signature: `${jws.signature}\n` })),
  'payload that is an object': form((jws) => ({ ...jws, payload: {} })),
  'no signature': form(({ protected: header, payload }) => ({ protected: header, payload })),
  'header with a duplicate alg': headerText((text) => text.replace('{', '{"alg":"none",')),
  'header with a duplicate, escaped alg': headerText((text) => text.replace('{', '{"\\u0061lg":"none",')),
  'header that is not JSON': headerText((text) => text.slice(0, -1)),
  'header that is a list': headerText((text) => `[${text}]`),
  'header of 20 KiB': malformed(() => ({ header: { x5c: ['A'.repeat(20_000)] } })),
  'header with 5,000 levels': headerText((text) => text.replace('{', `{"x":${'['.repeat(5000)}${']'.repeat(5000)},`)),
  'body that is not JSON': malformed(() => ({ body: () => 'protected=&payload=&signature=' })),
  'empty body': malformed(() => ({ body: () => '' })),
  'body with a duplicate member': malformed(() => ({ body: (json) => json.replace('{', '{"payload":"e30",') })),
  'body that is not UTF-8': malformed(() => ({ body: (json) => Buffer.concat([Buffer.from(json), Buffer.of(0xff)]) })),
  'signature with a flipped bit': badSignature((good) =>
    good.map((octet, at) => (at === good.length - 1 ? octet ^ 1 : octet)),
  ),
  'truncated signature': badSignature((good) => good.subarray(1)),
  'signature with an additional byte': badSignature((good) => Buffer.concat([good, Buffer.of(0)])),
  'empty signature': badSignature(() => Buffer.of()),
  'signature of zeros': badSignature((good) => Buffer.alloc(good.length)),
  'signature with r of zero': badSignature((good) => Buffer.concat([Buffer.alloc(good.length / 2), half(good, 1)])),
  'signature with s of zero': badSignature((good) => Buffer.concat([half(good, 0), Buffer.alloc(good.length / 2)])),
  'signature by a different key': badSignature((_, { foreignKey }, data) => foreignKey.sign(data)),
  'payload changed after signing': {
    problems: ['malformed', 'unauthorized'],
    statuses: [400, 401, 403],
    overrides: () => ({ form: (jws) => ({ ...jws, payload: base64url('{"changed":true}') }) }),
  },
  'no url': {
    problems: ['malformed', 'unauthorized'],
    statuses: [400, 401],
    overrides: () => ({ header: { url: undefined } }),
  },
  'url of a different resource': unauthorized(({ url }) => `${url}x`),
  'url of a different server': unauthorized(({ url }) => url.replace(/\/\/[^/]+/, '//ca.example')),
  'url with a query': unauthorized(({ url }) => `${url}?a=b`),
  'url that is a list': malformed(({ url }) => ({ header: { url: [url] } })),
  'no nonce': {
    problems: ['badNonce', 'malformed'],
    statuses: [400],
    overrides: () => ({ header: { nonce: undefined } }),
  },
  'nonce from a different server': {
    problems: ['badNonce'],
    statuses: [400],
    overrides: () => ({ header: { nonce: base64url(Buffer.alloc(32, 7)) } }),
  },
  'nonce that is not base64url': {
    problems: ['malformed', 'badNonce'],
    statuses: [400],
    overrides: () => ({ header: { nonce: 'no nonce!' } }),
  },
  'content type of plain JSON': unsupported('application/json'),
  'content type of a compact JWS': unsupported('application/jose'),
  'no content type': unsupported(undefined),
} as const satisfies Record<string, AcmeAbuse>;

export type AcmeAbuseName = keyof typeof acmeAbuses;

/** RFC 8555 §6.4. */
function unauthorized(url: (context: AbuseContext) => string): AcmeAbuse {
  return { problems: ['unauthorized'], statuses: [401], overrides: (context) => ({ header: { url: url(context) } }) };
}

/** RFC 8555 §6.2. */
function unsupported(type: string | undefined): AcmeAbuse {
  return { problems: ['malformed'], statuses: [415], overrides: () => ({ headers: { 'content-type': type } }) };
}

/** Adds base64 padding, or excess padding if the encoding needs none. */
function padded(text: string): string {
  return `${text}${'='.repeat(4 - (text.length % 4))}`;
}

function half(signature: Buffer, index: 0 | 1): Buffer {
  const middle = signature.length / 2;
  return index === 0 ? signature.subarray(0, middle) : signature.subarray(middle);
}
