import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64url, macFunctions, type FlatJws } from './testing/jose-keys.ts';
import { parseJws } from './jws.ts';
import { verifyJwsMac } from './jws-verify.ts';

const joseError = (reason: string): Error => expect.objectContaining({ name: 'JoseError', reason }) as Error;

describe('external account binding MACs', () => {
  /** RFC 7515 appendix A.1. */
  const key = Buffer.from(
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    'base64url',
  );
  const jws: FlatJws = {
    protected: 'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9',
    payload: 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
    signature: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  };
  const checkMac = (value: object, secret: Uint8Array = key): void =>
    verifyJwsMac(parseJws(value), { key: secret, mac: macFunctions });

  it('from RFC 7515 A.1 (HS256) verify, but not with any other bytes', () => {
    expect(() => checkMac(jws)).not.toThrow();
    expect(() => checkMac({ ...jws, payload: 'e30' })).toThrow(joseError('bad-signature'));
    expect(() => checkMac(jws, key.subarray(1))).toThrow(joseError('bad-signature'));
    for (const length of [0, 16, 31]) {
      const signature = base64url(Buffer.from(jws.signature, 'base64url').subarray(0, length));
      expect(() => checkMac({ ...jws, signature })).toThrow(joseError('bad-signature'));
    }
    expect(() => checkMac({ ...jws, signature: `${jws.signature}AAAA` })).toThrow(joseError('bad-signature'));
  });

  it.each([
    ['HS384', 'sha384', 48],
    ['HS512', 'sha512', 64],
  ])('with %s verify if the secret is as long as the digest, but not if it is shorter', (alg, digest, length) => {
    const header = base64url(JSON.stringify({ alg }));
    const macOf = (secret: Uint8Array, by = digest): FlatJws => ({
      protected: header,
      payload: 'e30',
      signature: createHmac(by, secret).update(`${header}.e30`).digest('base64url'),
    });
    const secret = Buffer.alloc(length, 7);
    expect(() => checkMac(macOf(secret), secret)).not.toThrow();
    expect(() => checkMac(macOf(secret, 'sha256'), secret)).toThrow(joseError('bad-signature'));
    expect(() => checkMac(macOf(secret.subarray(1)), secret.subarray(1))).toThrow(joseError('bad-key'));
  });

  it.each(['none', 'HS224', 'toString', 'hs256', 'RS256', 'ES256'])('cannot use "%s"', (alg) => {
    const header = base64url(JSON.stringify({ alg }));
    const signature = createHmac('sha256', key).update(`${header}.e30`).digest('base64url');
    expect(() => checkMac({ protected: header, payload: 'e30', signature })).toThrow(joseError('bad-algorithm'));
    expect(() => checkMac({ protected: header, payload: 'e30', signature: '' })).toThrow(joseError('bad-algorithm'));
  });

  it('require a secret of at least 16 bytes', () => {
    const macOf = (secret: Uint8Array): FlatJws => ({
      ...jws,
      signature: createHmac('sha256', secret).update(`${jws.protected}.${jws.payload}`).digest('base64url'),
    });
    expect(() => checkMac(macOf(key.subarray(0, 16)), key.subarray(0, 16))).not.toThrow();
    expect(() => checkMac(macOf(key.subarray(0, 15)), key.subarray(0, 15))).toThrow(joseError('bad-key'));
    expect(() => checkMac(macOf(new Uint8Array()), new Uint8Array())).toThrow(joseError('bad-key'));
  });
});
