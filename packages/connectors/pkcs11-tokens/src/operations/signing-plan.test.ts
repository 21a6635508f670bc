import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { OFFERED_DIGESTS } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import type { KeyRow } from '../keys/key-store.ts';
import { CKM } from '../module/constants.ts';
import { DIGESTS } from './digests.ts';
import { ecdsaDer, signingPlan } from './signing-plan.ts';
import { isSignedBy } from './verify.ts';

const key = (family: string, name = family): KeyRow => ({
  token_uuid: '',
  uuid: '',
  object_class: 3,
  key_type: 0,
  cka_id: new Uint8Array(),
  label: 'a key',
  facts: { family, name, bits: 2048 },
  spki: null,
});
const DATA = Buffer.from('data');

describe('a signature', () => {
  it('with an RSA key uses a DigestInfo if the token can pad without hashing, and the combined mechanism otherwise', () => {
    for (const digest of OFFERED_DIGESTS) {
      const wanted = { kind: 'rsa-pkcs1', digest } as const;
      const padded = signingPlan(key('RSA'), wanted, new Set([CKM.rsaPkcs, DIGESTS[digest].rsaPkcs]));
      expect(padded.mechanism.mechanism).toBe(CKM.rsaPkcs);
      expect(padded.input(DATA).length).toBeGreaterThan(28 + 17);
      const combined = signingPlan(key('RSA'), wanted, new Set([DIGESTS[digest].rsaPkcs]));
      expect(combined.mechanism.mechanism).toBe(DIGESTS[digest].rsaPkcs);
      expect(combined.input(DATA)).toEqual(DATA);
    }
  });

  it('is rejected with an explanation if the token has no mechanism for it', () => {
    const none = new Set<number>();
    expect(() => signingPlan(key('RSA'), { kind: 'rsa-pss', digest: 'SHA-384' }, none)).toThrow(
      'The token of key "a key" does not support RSA-PSS signatures with SHA-384.',
    );
    expect(() => signingPlan(key('SLH-DSA'), { kind: 'pure' }, new Set([CKM.eddsa, CKM.mlDsa]))).toThrow(
      '" does not support',
    );
  });

  it('of an ECDSA key is converted to DER, whatever the leading bytes of r and s', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const facts = { family: 'ECDSA', name: 'ECDSA', bits: 256 };
    for (let time = 0; time < 50; time += 1) {
      const data = Buffer.from([time]);
      const raw = sign('sha256', data, {
        key: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
        dsaEncoding: 'ieee-p1363',
      });
      const mechanism = { kind: 'ecdsa', digest: 'SHA-256' } as const;
      expect(isSignedBy({ facts, spki, mechanism, data, signature: ecdsaDer(raw) })).toBe(true);
    }
  });

  it('is not verified if the key is unreadable or the length is wrong', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const facts = { family: 'RSA', name: 'RSA', bits: 2048 };
    const signature = sign('sha256', DATA, privateKey);
    const signed = { facts, spki, mechanism: { kind: 'rsa-pkcs1', digest: 'SHA-256' }, data: DATA, signature } as const;
    expect(isSignedBy(signed)).toBe(true);
    expect(isSignedBy({ ...signed, signature: Buffer.concat([Buffer.alloc(1), signature]) })).toBe(false);
    expect(isSignedBy({ ...signed, spki: Uint8Array.of(1, 2, 3) })).toBe(false);
  });
});
