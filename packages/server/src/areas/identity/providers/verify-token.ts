// Tokens of identity providers (RFC 7519, RFC 8725): which algorithm may be used is decided by the key, never by the
// token alone.
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTHeaderParameters } from 'jose';
import type { ProviderKey } from './key-set.ts';

/** Signatures by asymmetric keys; neither `none` nor an HMAC, whose key would be public. */
export const SIGNATURE_ALGORITHMS = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
] as const; // prettier-ignore

/** Types of tokens that say who somebody is (RFC 8725 §3.11, RFC 9068 §2.1); others serve other purposes. */
const TYPES: readonly unknown[] = [undefined, 'JWT', 'at+jwt', 'application/at+jwt'];
const ACCESS_TOKEN_TYPES: readonly unknown[] = ['at+jwt', 'application/at+jwt'];
/** More than header lines may hold. */
const MAX_CHARS = 16 * 1024;
/** Tokens without `kid` are tried with this many keys. */
const MAX_CANDIDATES = 8;

/** Why a token or a sign-in is not accepted, for administrators. Holds no token. */
export class SignInRefused extends Error {}

/** No key of the provider has the identifier that the token names. */
export class UnknownKey extends SignInRefused {}

export interface TokenExpectations {
  readonly keys: readonly ProviderKey[];
  readonly issuer: string;
  /** One of them has to be among those of the token; any does when there are none. */
  readonly audiences: readonly string[];
  readonly skewS: number;
  readonly now: Date;
  /** Present where an access token is expected, for which an ID token is no substitute. */
  readonly accessToken?: AccessTokenRules | undefined;
}

export interface AccessTokenRules {
  /** Of the platform at the provider: the audience of its ID tokens (OpenID Connect Core §2). */
  readonly clientId: string | undefined;
  /** The header must name the type `at+jwt` (RFC 9068 §2.1). */
  readonly typed: boolean;
}

export interface VerifiedToken {
  readonly claims: JWTPayload & { readonly sub: string; readonly exp: number };
}

/** The issuer that a token names; nothing is verified yet. */
export function issuerOf(token: string): string {
  if (token.length > MAX_CHARS) throw new SignInRefused('the token is too long');
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss === 'string') return iss;
  } catch (cause) {
    throw new SignInRefused('the token is no signed JSON Web Token', { cause });
  }
  throw new SignInRefused('the token names no issuer');
}

/** Throws `SignInRefused` unless everything about the token is right. */
export async function verifyToken(token: string, expected: TokenExpectations): Promise<VerifiedToken> {
  const header = headerOf(token);
  const isTyped = ACCESS_TOKEN_TYPES.includes(header.typ?.toLowerCase());
  if (expected.accessToken?.typed === true && !isTyped)
    throw new SignInRefused('the type of the token is not "at+jwt", which its provider settings require');
  const candidates = fittingKeys(header, expected.keys);
  let refusal: unknown;
  for (const { key } of candidates) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [...SIGNATURE_ALGORITHMS],
        issuer: expected.issuer,
        ...(expected.audiences.length > 0 ? { audience: [...expected.audiences] } : {}),
        clockTolerance: expected.skewS,
        currentDate: expected.now,
        requiredClaims: ['sub', 'exp'],
      });
      if (expected.accessToken && !isTyped) refuseIdToken(payload, expected.accessToken);
      return { claims: soundClaims(payload, expected) };
    } catch (error) {
      refusal = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  if (refusal instanceof errors.JOSEError) throw new SignInRefused(refusal.message, { cause: refusal });
  throw refusal;
}

function headerOf(token: string): JWTHeaderParameters {
  // `issuerOf` has seen three parts.
  const [encoded = ''] = token.split('.', 1);
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as JWTHeaderParameters; // jose checks its members
  } catch (cause) {
    throw new SignInRefused('the header of the token is no JSON', { cause });
  }
}

/** The keys that may have signed a token with this header (RFC 7517 §4.4, §4.5). */
function fittingKeys(header: JWTHeaderParameters, keys: readonly ProviderKey[]): readonly ProviderKey[] {
  const { alg, kid, typ } = header;
  if (!SIGNATURE_ALGORITHMS.some((each) => each === alg))
    throw new SignInRefused('the algorithm of the token is not accepted');
  if (!TYPES.some((type) => type === typ || (typeof type === 'string' && type === typ?.toLowerCase()) || typ === 'jwt'))
    throw new SignInRefused('the type of the token is not that of an access token');
  const named = kid === undefined ? keys : keys.filter(({ keyId }) => keyId === kid);
  if (named.length === 0) throw new UnknownKey('the token was signed with a key that the provider does not publish');
  const fitting = named.filter((key) => algorithmsOf(key).includes(alg));
  if (fitting.length === 0) throw new SignInRefused('the algorithm of the token is not that of the key');
  return fitting.slice(0, MAX_CANDIDATES);
}

function algorithmsOf({ key, algorithm }: ProviderKey): readonly string[] {
  const fitting = algorithmsOfType(key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve);
  // Two names of one algorithm (RFC 9864 §2.2).
  const restricts = algorithm !== undefined && algorithm !== 'EdDSA' && algorithm !== 'Ed25519';
  return restricts ? fitting.filter((each) => each === algorithm) : fitting;
}

function algorithmsOfType(type: string | undefined, curve: string | undefined): readonly string[] {
  if (type === 'rsa') return ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
  if (type === 'ed25519') return ['EdDSA', 'Ed25519'];
  if (type !== 'ec') return [];
  return { prime256v1: ['ES256'], secp384r1: ['ES384'], secp521r1: ['ES512'] }[curve ?? ''] ?? [];
}

function soundClaims(payload: JWTPayload, { now, skewS }: TokenExpectations): VerifiedToken['claims'] {
  const { sub, exp, iat, cnf } = payload;
  // RFC 7519 §4.1.6 leaves it to us; a clock that is so far off lets nothing else be trusted.
  if (iat !== undefined && iat > now.getTime() / 1_000 + skewS)
    throw new SignInRefused('"iat" claim timestamp check failed (it should be in the past)');
  if (typeof sub !== 'string' || sub === '' || exp === undefined) throw new SignInRefused('the token names no subject');
  // Whoever sends it would have to prove a key (RFC 7800, RFC 9449 §6), and a bearer proves nothing.
  if (cnf !== undefined) throw new SignInRefused('the token is bound to a key of its client');
  return { ...payload, sub, exp };
}

/**
 * An ID token says who signed in to the client, and is known to programs that may not act for the user. It is for the
 * client alone, and answers a request for sign-in (`nonce`) or belongs to an access token (`at_hash`, `c_hash`).
 * Keycloak says so itself (`typ`).
 */
function refuseIdToken({ aud, nonce, at_hash, c_hash, typ }: JWTPayload, { clientId }: AccessTokenRules): void {
  const audiences = aud === undefined ? [] : [aud].flat();
  const isForClientOnly = audiences.length > 0 && audiences.every((each) => each === clientId);
  const isOfSignIn = [nonce, at_hash, c_hash].some((claim) => claim !== undefined);
  if ((isForClientOnly && isOfSignIn) || typ === 'ID')
    throw new SignInRefused('the token is an ID token; send the access token instead');
}
