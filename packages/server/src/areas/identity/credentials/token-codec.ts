// The text form of access tokens: a JSON Web Token (RFC 7519) with an HMAC computed by the platform. The header is
// constant, so a token cannot choose its algorithm (RFC 8725 §3.1). This file does not decide whether a token is still
// valid; the token's row does.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isUuid } from '../../../kernel/ids.ts';

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const ISSUER = 'signetry';
/** Our tokens are about 290 characters long; longer texts are rejected without being parsed. */
const MAX_TOKEN_LENGTH = 1_024;
/** Maximum number of cached tokens with a verified MAC. */
const MAX_KNOWN = 1_000;

/** Recognizes our tokens by their header; identity providers sign with other algorithms. */
export const isOwnToken = (token: string): boolean => token.startsWith(`${HEADER}.`);

export interface TokenClaims {
  /** `jti`: UUID of the access token. */
  readonly tokenUuid: string;
  /** `sub`: UUID of the token's user. */
  readonly userUuid: string;
  readonly issuedAt: Date;
  /** Absent if the token does not expire. */
  readonly expiresAt?: Date;
}

export interface TokenCodec {
  sign(claims: TokenClaims): string;
  /** Returns the claims of a token that we signed, or `undefined` for anything else. Does not check the expiry. */
  read(token: string): TokenClaims | undefined;
}

/**
 * Creates the codec. The first key signs; tokens under any of the keys are accepted, so that a rotation of the sealing
 * key invalidates none.
 */
export function createTokenCodec(keys: () => readonly Uint8Array[]): TokenCodec {
  const currentKey = (): Uint8Array => {
    const [current] = keys();
    if (!current) throw new Error('Access tokens require a key.');
    return current;
  };
  /**
   * Verified tokens by digest, for the keys that verified them. Tokens are cached because clients send the same token
   * with every request.
   */
  const known = new LRUCache<string, TokenClaims>({ max: MAX_KNOWN });
  let keysOfKnown: readonly Uint8Array[] = [];
  const macOf = (text: string, key: Uint8Array) => createHmac('sha256', key).update(text).digest('base64url');

  function verifiedClaims(token: string, end: number, candidates: readonly Uint8Array[]): TokenClaims | undefined {
    // Text is compared rather than bytes, so that only one encoding of each MAC is accepted.
    const [signed, mac] = [token.slice(0, end), token.slice(end + 1)];
    if (!candidates.some((key) => sameText(mac, macOf(signed, key)))) return undefined;
    return claimsOf(token.slice(HEADER.length + 1, end));
  }

  return {
    sign(claims) {
      const payload = {
        iss: ISSUER,
        sub: claims.userUuid,
        jti: claims.tokenUuid,
        iat: secondsOf(claims.issuedAt),
        ...(claims.expiresAt ? { exp: secondsOf(claims.expiresAt) } : {}),
      };
      const signed = `${HEADER}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
      return `${signed}.${macOf(signed, currentKey())}`;
    },
    read(token) {
      if (token.length > MAX_TOKEN_LENGTH || !isOwnToken(token)) return undefined;
      const end = token.lastIndexOf('.');
      if (end === HEADER.length) return undefined;
      const keysNow = keys();
      if (keysNow !== keysOfKnown) known.clear();
      keysOfKnown = keysNow;
      const digest = hash('sha256', token, 'base64url');
      const claims = known.get(digest) ?? verifiedClaims(token, end, keysNow);
      if (claims) known.set(digest, claims);
      return claims;
    },
  };
}

function claimsOf(payload: string): TokenClaims | undefined {
  const { iss, sub, jti, iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<
    Record<string, unknown>
  >; // The MAC is valid, so the platform wrote this.
  if (iss !== ISSUER || typeof sub !== 'string' || typeof jti !== 'string' || typeof iat !== 'number') return undefined;
  if (!isUuid(sub) || !isUuid(jti)) return undefined;
  const claims = { tokenUuid: jti, userUuid: sub, issuedAt: new Date(iat * 1000) };
  return typeof exp === 'number' ? { ...claims, expiresAt: new Date(exp * 1000) } : claims;
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);
