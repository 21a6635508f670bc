import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { base64url, JOSE_KEY_SPECS, joseKey, signJws, type FlatJws } from './testing/jose-keys.ts';
import { createNodeCrypto, nodeCrypto } from '../node/index.ts';
import { expectOwnErrors } from '../testing/arbitraries.ts';
import { parseJws } from './jws.ts';
import { readJwk, type JwkKey } from './jwk.ts';
import { verifyJws } from './jws-verify.ts';
import { writePem } from '../pem.ts';

const { sha256, verify } = nodeCrypto;
const check = (jws: object, key: JwkKey): void => verifyJws(parseJws(jws), { key, verify });
const joseError = (reason: string): Error => expect.objectContaining({ name: 'JoseError', reason }) as Error;

function parseCompact(text: string): FlatJws {
  const [header = '', payload = '', signature = ''] = text.split('.');
  return { protected: header, payload, signature };
}

/** The payload of RFC 7515 appendices A.2 and A.3. */
const JOE = 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';

const vectors: readonly [string, Record<string, string>, string][] = [
  [
    'RFC 7515 A.2 (RS256)',
    {
      kty: 'RSA',
      n:
        'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SF' +
        'd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo' +
        '7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkM' +
        'Ls91kzk2PAcDTW9gb54h4FRWyuXpoQ',
      e: 'AQAB',
    },
    `eyJhbGciOiJSUzI1NiJ9.${JOE}.` +
      'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU' +
      'Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_d' +
      'O--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0ig' +
      'cN_IoypGlUPQGe77Rw',
  ],
  [
    'RFC 7515 A.3 (ES256)',
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
    `eyJhbGciOiJFUzI1NiJ9.${JOE}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
  ],
  [
    'RFC 7515 A.4 (ES512)',
    {
      kty: 'EC',
      crv: 'P-521',
      x: 'AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk',
      y: 'ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2',
    },
    'eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB' +
      '34XO0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn',
  ],
  [
    'RFC 8037 A.4 (Ed25519)',
    { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.' +
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
  ],
];

describe('signatures', () => {
  it.each(vectors)('with %s verify, but not with any other bytes', (_, jwk, text) => {
    const key = readJwk(jwk, sha256);
    const jws = parseCompact(text);
    expect(() => check(jws, key)).not.toThrow();
    expect(() => check({ ...jws, payload: 'e30' }, key)).toThrow(joseError('bad-signature'));
    const signature = Buffer.from(jws.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    expect(() => check({ ...jws, signature: base64url(signature) }, key)).toThrow(joseError('bad-signature'));
  });

  it.each(JOSE_KEY_SPECS)('from Node.js with a %s key verify, for any payload', (spec) => {
    const by = joseKey(spec);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (payload) => {
        const jws = signJws(by, { header: { alg: by.alg }, payload });
        expect(() => check(jws, by.key)).not.toThrow();
        expect(parseJws(jws).payload).toEqual(payload);
      }),
      { numRuns: 30 },
    );
  });

  it('do not verify if they were generated with a different key of the same type', () => {
    const [, jwk, text] = vectors[1]!;
    expect(() => check(parseCompact(text), joseKey('P-256').key)).toThrow(joseError('bad-signature'));
    expect(() =>
      check(signJws(joseKey('P-256'), { header: { alg: 'ES256' }, payload: '' }), readJwk(jwk, sha256)),
    ).toThrow(joseError('bad-signature'));
  });
});

describe('algorithms', () => {
  it('each match one key type; all other combinations are rejected, even if the signature is valid', () => {
    for (const spec of JOSE_KEY_SPECS) {
      const by = joseKey(spec);
      for (const alg of ['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA']) {
        const run = (): void => check(signJws(by, { header: { alg }, payload: 'x' }), by.key);
        if (alg === by.alg) expect(run).not.toThrow();
        else expect(run).toThrow(joseError('bad-algorithm'));
      }
    }
  });

  it.each([
    'none',
    'None',
    'NONE',
    '',
    'rs256',
    'RS1',
    'RS512',
    'PS256',
    'ES256K',
    'HS256',
    'HS512',
    'toString',
    'Ed25519',
  ])('with the name "%s" are rejected', (alg) => {
    for (const spec of JOSE_KEY_SPECS) {
      const jws = signJws(joseKey(spec), { header: { alg }, payload: 'x' });
      for (const each of [jws, { ...jws, signature: '' }]) {
        expect(() => check(each, joseKey(spec).key)).toThrow(joseError('bad-algorithm'));
      }
    }
  });

  it('that use a public key as the shared secret are rejected, for every encoding of the key', () => {
    const { key, publicJwk } = joseKey('RSA');
    const secrets = [key.spki, writePem('PUBLIC KEY', key.spki), JSON.stringify(publicJwk), JSON.stringify(key.jwk)];
    for (const secret of secrets) {
      const header = base64url('{"alg":"HS256"}');
      const signature = createHmac('sha256', secret).update(`${header}.e30`).digest('base64url');
      expect(() => check({ protected: header, payload: 'e30', signature }, key)).toThrow(joseError('bad-algorithm'));
    }
  });
});

describe('hostile signatures', () => {
  it('cause only our own errors, and never verify', () => {
    const uncached = createNodeCrypto({ maxCachedKeys: 0 });
    const keys = JOSE_KEY_SPECS.map((spec) => joseKey(spec));
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.oneof(fc.uint8Array({ maxLength: 140 }), fc.uint8Array({ minLength: 64, maxLength: 64 })),
        fc.uint8Array({ maxLength: 20 }),
        (by, signature, payload) => {
          const jws = { ...parseJws(signJws(by, { header: { alg: by.alg }, payload })), signature };
          let passed = false;
          expectOwnErrors(() => {
            verifyJws(jws, { key: by.key, verify: uncached.verify });
            passed = true;
          });
          expect(passed).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});
