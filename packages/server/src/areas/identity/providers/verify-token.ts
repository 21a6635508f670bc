// Verifies identity provider tokens (RFC 7519, RFC 8725). The key determines the permitted algorithm, never the token
// alone.
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTHeaderParameters } from 'jose';
import type { ProviderKey } from './key-set.ts';

/** Asymmetric signature algorithms. `none` is excluded, and so is HMAC, because its key would be public. */
export const SIGNATURE_ALGORITHMS = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
] as const; // prettier-ignore

/** Types of tokens that identify a user (RFC 8725 §3.11, RFC 9068 §2.1). All other types serve different purposes. */
const TYPES: readonly unknown[] = [undefined, 'JWT', 'at+jwt', 'application/at+jwt'];
const ACCESS_TOKEN_TYPES: readonly unknown[] = ['at+jwt', 'application/at+jwt'];
/** More characters than header lines can contain. */
const MAX_CHARS = 16 * 1024;
/** Maximum number of keys that are tried for a token without `kid`. */
const MAX_CANDIDATES = 8;

/** Reason why a token or a sign-in was rejected, for administrators. Does not contain the token. */
export class SignInRejected extends Error {}

/** The provider has no key with the ID that the token references. */
export class UnknownKey extends SignInRejected {}

export interface TokenExpectations {
  readonly keys: readonly ProviderKey[];
  readonly issuer: string;
  /** The token must contain one of these audiences; if the list is empty, any audience is accepted. */
  readonly audiences: readonly string[];
  readonly skewS: number;
  readonly now: Date;
  /** Present if an access token is expected. An ID token is then not accepted. */
  readonly accessToken?: AccessTokenRules | undefined;
}

export interface AccessTokenRules {
  /** Client ID of the platform at the provider: the audience of its ID tokens (OpenID Connect Core §2). */
  readonly clientId: string | undefined;
  /** Whether the header must specify the type `at+jwt` (RFC 9068 §2.1). */
  readonly typed: boolean;
}

export interface VerifiedToken {
  readonly claims: JWTPayload & { readonly sub: string; readonly exp: number };
}

/** Returns the issuer specified in a token, without verifying anything. */
export function issuerOf(token: string): string {
  if (token.length > MAX_CHARS) throw new SignInRejected('the token is too long');
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss === 'string') return iss;
  } catch (cause) {
    throw new SignInRejected('the token is not a signed JSON Web Token', { cause });
  }
  throw new SignInRejected('the token has no issuer');
}

/** Verifies a token; throws `SignInRejected` unless all checks pass. */
export async function verifyToken(token: string, expected: TokenExpectations): Promise<VerifiedToken> {
  const header = headerOf(token);
  const isTyped = ACCESS_TOKEN_TYPES.includes(header.typ?.toLowerCase());
  if (expected.accessToken?.typed === true && !isTyped)
    throw new SignInRejected('the type of the token is not "at+jwt", which its provider settings require');
  const candidates = matchingKeys(header, expected.keys);
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
      if (expected.accessToken && !isTyped) rejectIdToken(payload, expected.accessToken);
      return { claims: validateClaims(payload, expected) };
    } catch (error) {
      refusal = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  if (refusal instanceof errors.JOSEError) throw new SignInRejected(refusal.message, { cause: refusal });
  throw refusal;
}

function headerOf(token: string): JWTHeaderParameters {
  // `issuerOf` has checked that there are three parts.
  const [encoded = ''] = token.split('.', 1);
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as JWTHeaderParameters; // jose checks its members
  } catch (cause) {
    throw new SignInRejected('the header of the token is not JSON', { cause });
  }
}

/** Returns the keys that may have signed a token with this header (RFC 7517 §4.4, §4.5). */
function matchingKeys(header: JWTHeaderParameters, keys: readonly ProviderKey[]): readonly ProviderKey[] {
  const { alg, kid, typ } = header;
  if (!SIGNATURE_ALGORITHMS.some((each) => each === alg))
    throw new SignInRejected('the algorithm of the token is not accepted');
  if (!TYPES.some((type) => type === typ || (typeof type === 'string' && type === typ?.toLowerCase()) || typ === 'jwt'))
    throw new SignInRejected('the type of the token is not an access token type');
  const named = kid === undefined ? keys : keys.filter(({ keyId }) => keyId === kid);
  if (named.length === 0) throw new UnknownKey('the token was signed with a key that the provider does not publish');
  const fitting = named.filter((key) => algorithmsOf(key).includes(alg));
  if (fitting.length === 0) throw new SignInRejected('the algorithm of the token does not match the key');
  return fitting.slice(0, MAX_CANDIDATES);
}

function algorithmsOf({ key, algorithm }: ProviderKey): readonly string[] {
  const fitting = algorithmsOfType(key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve);
  // Two names for the same algorithm (RFC 9864 §2.2).
  const restricts = algorithm !== undefined && algorithm !== 'EdDSA' && algorithm !== 'Ed25519';
  return restricts ? fitting.filter((each) => each === algorithm) : fitting;
}

function algorithmsOfType(type: string | undefined, curve: string | undefined): readonly string[] {
  if (type === 'rsa') return ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
  if (type === 'ed25519') return ['EdDSA', 'Ed25519'];
  if (type !== 'ec') return [];
  return { prime256v1: ['ES256'], secp384r1: ['ES384'], secp521r1: ['ES512'] }[curve ?? ''] ?? [];
}

function validateClaims(payload: JWTPayload, { now, skewS }: TokenExpectations): VerifiedToken['claims'] {
  const { sub, exp, iat, cnf } = payload;
  // RFC 7519 §4.1.6 leaves this check to the recipient. If the issuer's clock is that far off, nothing else in the
  // token can be trusted.
  if (iat !== undefined && iat > now.getTime() / 1_000 + skewS)
    throw new SignInRejected('"iat" claim timestamp check failed (it should be in the past)');
  if (typeof sub !== 'string' || sub === '' || exp === undefined) throw new SignInRejected('the token has no subject');
  // The sender would have to prove possession of a key (RFC 7800, RFC 9449 §6), which a bearer token cannot do.
  if (cnf !== undefined) throw new SignInRejected('the token is bound to a key of its client');
  return { ...payload, sub, exp };
}

/**
 * Rejects ID tokens. An ID token identifies the user who signed in to the client, and is known to programs that must
 * not act for the user. Its only audience is the client, and it responds to a sign-in request (`nonce`) or accompanies
 * an access token or code (`at_hash`, `c_hash`). Keycloak marks it explicitly (`typ`).
 */
function rejectIdToken({ aud, nonce, at_hash, c_hash, typ }: JWTPayload, { clientId }: AccessTokenRules): void {
  const audiences = aud === undefined ? [] : [aud].flat();
  const isForClientOnly = audiences.length > 0 && audiences.every((each) => each === clientId);
  const isOfSignIn = [nonce, at_hash, c_hash].some((claim) => claim !== undefined);
  if ((isForClientOnly && isOfSignIn) || typ === 'ID')
    throw new SignInRejected('the token is an ID token; send the access token instead');
}
