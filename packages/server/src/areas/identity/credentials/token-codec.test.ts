import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { createTokenCodec } from './token-codec.ts';

const key = new Uint8Array(randomBytes(32));
const codec = createTokenCodec(() => [key]);
const claims = {
  tokenUuid: newUuid(),
  userUuid: newUuid(),
  issuedAt: new Date('2026-11-20T10:00:00Z'),
  expiresAt: new Date('2026-12-20T10:00:00Z'),
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payload = { iss: 'signetry', sub: claims.userUuid, jti: claims.tokenUuid, iat: 1_800_000_000 };
const signedWith = (header: unknown, body: unknown, secret: Uint8Array = key) => {
  const text = `${encoded(header)}.${encoded(body)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

describe('encoded access tokens', () => {
  it('can be decoded to the signed data', () => {
    expect(codec.read(codec.sign(claims))).toEqual(claims);
    const { expiresAt: _, ...endless } = claims;
    expect(codec.read(codec.sign(endless))).toEqual(endless);
  });

  it('remain valid after a sealing key rotation while the old key is retained', () => {
    const newKey = new Uint8Array(randomBytes(32));
    const rotated = createTokenCodec(() => [newKey, key]);
    expect(rotated.read(codec.sign(claims))).toEqual(claims);
    expect(codec.read(rotated.sign(claims))).toBeUndefined();
  });

  it('that have been decoded before are rejected once their key is removed', () => {
    let keys: readonly Uint8Array[] = [key];
    const changing = createTokenCodec(() => keys);
    const token = changing.sign(claims);
    expect([changing.read(token), changing.read(token)]).toEqual([claims, claims]);
    expect(changing.read(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`)).toBeUndefined();
    keys = [new Uint8Array(randomBytes(32))];
    expect(changing.read(token)).toBeUndefined();
  });

  it('are rejected if a single character differs', () => {
    const token = codec.sign(claims);
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(codec.read(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
  });

  it('are rejected if signed with a different key', () => {
    expect(createTokenCodec(() => [new Uint8Array(randomBytes(32))]).read(codec.sign(claims))).toBeUndefined();
  });

  it.each([
    ['no algorithm', `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(payload)}.`],
    ['another algorithm under our key', signedWith({ alg: 'HS512', typ: 'JWT' }, payload)],
    [
      'an extension that must be understood',
      signedWith({ alg: 'HS256', typ: 'JWT', crit: ['b64'], b64: false }, payload),
    ],
    ['another issuer', signedWith({ alg: 'HS256', typ: 'JWT' }, { ...payload, iss: 'elsewhere' })],
    ['a subject that is not a user', signedWith({ alg: 'HS256', typ: 'JWT' }, { ...payload, sub: 'admin' })],
    ['no token uuid', signedWith({ alg: 'HS256', typ: 'JWT' }, { ...payload, jti: undefined })],
    ['nothing', ''],
    ['two parts', `${encoded({ alg: 'HS256', typ: 'JWT' })}.`],
    ['padding after the MAC', `${signedWith({ alg: 'HS256', typ: 'JWT' }, payload)}=`],
  ])('are rejected with %s', (_what, token) => {
    expect(codec.read(token)).toBeUndefined();
  });

  it('never cause an exception, regardless of the input', () => {
    fc.assert(fc.property(fc.string(), (text) => codec.read(text) === undefined));
    fc.assert(
      fc.property(fc.string(), (text) => codec.read(`${codec.sign(claims).split('.')[0]}.${text}`) === undefined),
    );
  });
});
