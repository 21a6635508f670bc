import { describe, expect, it } from 'vitest';
import { base64url, joseKey, signJws } from './testing/jose-keys.ts';
import { nodeCrypto } from '../node/index.ts';
import { parseJws } from './jws.ts';
import { readJwk, type JwkKey } from './jwk.ts';
import { verifyJws } from './jws-verify.ts';

const { sha256, verify } = nodeCrypto;
const check = (jws: object, key: JwkKey): void => verifyJws(parseJws(jws), { key, verify });
const joseError = (reason: string): Error => expect.objectContaining({ name: 'JoseError', reason }) as Error;

describe('ECDSA signatures', () => {
  it.each([
    ['P-256', 32],
    ['P-384', 48],
    ['P-521', 66],
  ] as const)('with %s consist of two numbers of %i bytes, neither zero nor greater than the order', (spec, size) => {
    const by = joseKey(spec);
    const jws = signJws(by, { header: { alg: by.alg }, payload: 'x' });
    const raw = Buffer.from(jws.signature, 'base64url');
    const [r, s] = [raw.subarray(0, size), raw.subarray(size)];
    const zero = Buffer.alloc(size);
    const parsed = parseJws(jws);
    const inDer = Buffer.from(derOf(jws, by.key));
    const others = [
      [zero, zero],
      [zero, s],
      [r, zero],
      [Buffer.alloc(size, 0xff), s],
      [r, Buffer.alloc(size, 0xff)],
      [s, r],
      [r],
      [r, s, Buffer.of(0)],
      [r, Buffer.of(0), s],
      [Buffer.of(0), r, Buffer.of(0), s],
      [r, s.subarray(1)],
      [inDer],
      [],
    ];
    for (const parts of others) {
      const signature = Uint8Array.from(Buffer.concat(parts));
      expect(() => verifyJws({ ...parsed, signature }, { key: by.key, verify })).toThrow(joseError('bad-signature'));
    }
    expect(() => verifyJws(parsed, { key: by.key, verify })).not.toThrow();
  });

  it('are rejected before verification if they contain a zero or have the wrong length', () => {
    const by = joseKey('P-256');
    const jws = parseJws(signJws(by, { header: { alg: 'ES256' }, payload: 'x' }));
    const one = Buffer.alloc(32, 1);
    const zero = Buffer.alloc(32);
    const verifyUnchecked = (signature: Uint8Array): void =>
      verifyJws({ ...jws, signature }, { key: by.key, verify: () => true });
    expect(() => verifyUnchecked(Buffer.concat([one, one]))).not.toThrow();
    for (const parts of [[zero, zero], [zero, one], [one, zero], [one], [one, one, one], [one, Buffer.of(0), one]]) {
      expect(() => verifyUnchecked(Buffer.concat(parts))).toThrow(joseError('bad-signature'));
    }
  });

  it('verify even if their numbers start with zeros or high bits', () => {
    const by = joseKey('P-256');
    const firsts = new Set<string>();
    for (let i = 0; i < 600; i++) {
      const jws = signJws(by, { header: { alg: 'ES256' }, payload: String(i) });
      const first = parseJws(jws).signature[0] ?? 0;
      firsts.add(first === 0 ? 'zero' : first < 0x80 ? 'low' : 'high');
      expect(() => check(jws, by.key)).not.toThrow();
    }
    expect([...firsts]).toEqual(expect.arrayContaining(['low', 'high']));
  });

  it('do not verify if the point is not on the curve', () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: base64url(Buffer.alloc(32, 1)), y: base64url(Buffer.alloc(32, 2)) };
    const jws = signJws(joseKey('P-256'), { header: { alg: 'ES256' }, payload: 'x' });
    expect(() => check(jws, readJwk(jwk, sha256))).toThrow(joseError('bad-signature'));
  });
});

/** Signature as passed to the verification function. */
function derOf(jws: object, key: JwkKey): Uint8Array {
  const seen: Uint8Array[] = [];
  verifyJws(parseJws(jws), {
    key,
    verify: (_, { signature }) => {
      seen.push(signature);
      return true;
    },
  });
  return seen[0]!;
}
