import { createPublicKey, ECDH, generateKeyPairSync, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { bitStringPart, encodeDer, oidPart, sequence } from '../der/writer.ts';
import { checkKeyPolicy } from '../key-policy.ts';
import { parsePublicKey } from '../keys.ts';
import { expectOwnErrors } from '../testing/arbitraries.ts';
import { base64url, JOSE_KEY_SPECS, joseKey } from './testing/jose-keys.ts';
import { exportPublicKey, nodeCrypto } from '../node/index.ts';
import { OID } from '../oids.ts';
import { jwkFromSpki, readJwk } from './jwk.ts';

const { sha256 } = nodeCrypto;
const read = (value: unknown) => readJwk(value, sha256);
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16), 'hex');
const badKey = expect.objectContaining({ name: 'JoseError', reason: 'bad-key', code: 'bad-key' }) as Error;

/** RFC 7638 §3.1. */
const RFC7638_N =
  '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3' +
  'oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA' +
  'ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-' +
  'kEgU8awapJzKnqDKgw';
/** RFC 8037 appendix A.2. */
const RFC8037_X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

describe('thumbprints', () => {
  it('match RFC 7638 §3.1, and ignore members that are not part of the key', () => {
    const key = read({ kty: 'RSA', n: RFC7638_N, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' });
    expect(key.thumbprint).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
    expect(key.jwk).toEqual({ e: 'AQAB', kty: 'RSA', n: RFC7638_N });
  });

  it('match RFC 8037 appendix A.3', () => {
    const key = read({ kty: 'OKP', crv: 'Ed25519', x: RFC8037_X });
    expect(key.thumbprint).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    expect(key.spki).toEqual(exportPublicKey(createPublicKey({ key: { ...key.jwk }, format: 'jwk' })));
  });

  it('do not depend on member order', () => {
    const { publicJwk, key } = joseKey('P-256');
    expect(read(Object.fromEntries(Object.entries(publicJwk).reverse()))).toEqual(key);
    const { kty, crv, x, y } = publicJwk;
    expect(key.thumbprint).toBe(hash('sha256', `{"crv":"${crv}","kty":"${kty}","x":"${x}","y":"${y}"}`, 'base64url'));
  });
});

describe('public keys', () => {
  it.each(JOSE_KEY_SPECS)('of type %s convert to and from the same SubjectPublicKeyInfo as in OpenSSL', (spec) => {
    const { alg, key, privateKey, publicJwk } = joseKey(spec);
    expect(key.spki).toEqual(exportPublicKey(privateKey));
    expect(key.algorithms).toEqual([alg]);
    expect(key.jwk).toEqual(publicJwk);
    expect(jwkFromSpki(key.spki, sha256)).toEqual(key);
  });

  it('preserve leading zeros in coordinates', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat({ max: 32 }), (x, zeros) => {
        x.fill(0, 0, zeros);
        const jwk = { crv: 'P-256', kty: 'EC', x: base64url(x), y: base64url(x) };
        expect(jwkFromSpki(read(jwk).spki, sha256).jwk).toEqual(jwk);
      }),
    );
  });

  it('can specify that they are used for verification', () => {
    const rsa = { kty: 'RSA', n: RFC7638_N, e: 'AQAB' };
    expect(read({ ...rsa, key_ops: ['verify'], use: 'sig' })).toEqual(read(rsa));
  });

  it('can be checked against a stricter key policy', () => {
    const spki = parsePublicKey(joseKey('RSA').key.spki);
    expect(checkKeyPolicy(spki)).toEqual([]);
    expect(checkKeyPolicy(spki, { minRsaBits: 4096 }).map(({ code }) => code)).toEqual(['rsa-too-small']);
  });
});

describe('the JWK reader', () => {
  const rsa = { kty: 'RSA', n: RFC7638_N, e: 'AQAB' };
  const { publicJwk: ec, privateKey } = joseKey('P-256');
  const okp = { kty: 'OKP', crv: 'Ed25519', x: RFC8037_X };
  const octets = (length: number, first = 0x80): string =>
    base64url(Uint8Array.of(first, ...new Uint8Array(length - 1)));

  it.each<[string, unknown]>([
    ['no object', 'RSA'],
    ['null', null],
    ['an array', [rsa]],
    ['no type', { ...rsa, kty: undefined }],
    ['a symmetric key', { kty: 'oct', k: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ' }],
    ['a type in another case', { ...rsa, kty: 'rsa' }],
    ['a type that every object has', { kty: 'constructor' }],
    ['a curve of bitcoin', { ...ec, crv: 'secp256k1' }],
    ['a curve that every object has', { ...ec, crv: 'toString' }],
    ['a key agreement key', { ...okp, crv: 'X25519' }],
    ['an Edwards curve under EC', { ...ec, crv: 'Ed25519' }],
    ['no modulus', { kty: 'RSA', e: 'AQAB' }],
    ['a number', { ...rsa, e: 65_537 }],
    ['padding', { ...rsa, e: 'AQAB=' }],
    ['plain base64', { ...rsa, n: RFC7638_N.replaceAll('-', '+').replaceAll('_', '/') }],
    ['white space', { ...rsa, e: 'AQ AB' }],
    ['stray bits', { ...okp, x: RFC8037_X.slice(0, -1) + 'p' }],
    [
      'a leading zero in the modulus',
      { ...rsa, n: base64url(Buffer.concat([Buffer.of(0), Buffer.from(RFC7638_N, 'base64url')])) },
    ],
    ['a leading zero in the exponent', { ...rsa, e: 'AAEAAQ' }],
    ['an exponent of zero octets', { ...rsa, e: '' }],
    ['an exponent as long as the modulus', { ...rsa, e: RFC7638_N }],
    ['a modulus of 2047 bits', { ...rsa, n: octets(256, 0x40) }],
    ['a modulus of 1024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    ['an even modulus', { ...rsa, n: octets(256) }],
    ['a modulus divisible by 3', { ...rsa, n: base64url(Buffer.from(`80${'00'.repeat(254)}01`, 'hex')) }],
    [
      'a modulus of primes that are close together',
      { ...rsa, n: base64url(bytesOf((3n * 2n ** 1022n + 1159n) ** 2n)) },
    ],
    ['the exponent 1', { ...rsa, e: 'AQ' }],
    ['the exponent 3', { ...rsa, e: 'Aw' }],
    ['a modulus of 8193 bits', { ...rsa, n: octets(1025, 0x01) }],
    ['an exponent of 33 bits', { ...rsa, e: octets(5, 0x01) }],
    ['a short coordinate', { ...ec, x: octets(31) }],
    ['a long coordinate', { ...ec, y: octets(33) }],
    ['coordinates of another curve', { ...ec, crv: 'P-384' }],
    ['a missing coordinate', { ...ec, y: undefined }],
    ['a short Edwards key', { ...okp, x: octets(31) }],
    ['a key for encryption', { ...rsa, use: 'enc' }],
    ['operations without verifying', { ...rsa, key_ops: ['sign', 'encrypt'] }],
    ['no operations', { ...rsa, key_ops: [] }],
    ['operations twice', { ...rsa, key_ops: ['verify', 'verify'] }],
    ['operations that are no list', { ...rsa, key_ops: 'verify' }],
    ['operations that are no texts', { ...rsa, key_ops: ['verify', 1] }],
    ['an algorithm of another key', { ...ec, alg: 'RS256' }],
    ['an algorithm with a secret', { ...rsa, alg: 'HS256' }],
  ])('rejects a JWK with %s', (_, value) => {
    expect(() => read(value)).toThrow(badKey);
  });

  it('rejects a private key, which it identifies by any of its members', () => {
    expect(() => read(privateKey.export({ format: 'jwk' }))).toThrow(/private/);
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']) {
      expect(() => read({ ...rsa, [name]: 'AQAB' })).toThrow(badKey);
      expect(() => read({ ...rsa, [name]: null })).toThrow(badKey);
    }
  });

  it('rejects a SubjectPublicKeyInfo that cannot be expressed as a JWK', () => {
    const spkis = [
      generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).publicKey,
      generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey,
      generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).publicKey,
      generateKeyPairSync('x25519').publicKey,
      generateKeyPairSync('ml-dsa-44').publicKey,
    ].map((key) => key.export({ type: 'spki', format: 'der' }));
    const point = ECDH.convertKey(
      joseKey('P-256').key.spki.subarray(-65),
      'prime256v1',
      undefined,
      undefined,
      'compressed',
    );
    const identifier = sequence([oidPart(OID.ecPublicKey), oidPart(OID.secp256r1)]);
    const compressed = encodeDer(sequence([identifier, bitStringPart(Buffer.from(point))]));
    expect(parsePublicKey(compressed).curve).toBe('P-256');
    for (const spki of [...spkis, compressed, Buffer.of(1, 2, 3)])
      expect(() => jwkFromSpki(spki, sha256)).toThrow(badKey);
  });

  it('rejects all other input, using only our own errors', () => {
    const member = fc.oneof(fc.constantFrom('RSA', 'EC', 'OKP', 'P-256', 'Ed25519', 'AQAB', octets(32)), fc.anything());
    const members = fc.record(
      { kty: member, crv: member, n: member, e: member, x: member, y: member, use: member },
      { requiredKeys: ['kty'] },
    );
    fc.assert(
      fc.property(fc.oneof(members, fc.anything()), (value) => expectOwnErrors(() => read(value))),
      { numRuns: 2000 },
    );
  });
});
