import { parsePublicKey } from '@signetry/pki';
import { generateKeyPair, type KeySpec } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { hasResponderKey, responderKeySpec } from './responder-request.ts';

const keyOf = async (spec: KeySpec) => parsePublicKey((await generateKeyPair(spec)).spki);

describe('the OCSP responder key', () => {
  it.each(['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const)(
    'is as strong as the CA key for a CA with %s',
    async (spec) => {
      expect(responderKeySpec(await keyOf(spec))).toBe(spec);
    },
  );

  it.each(['P-256', 'P-384', 'RSA-2048', 'Ed25519'] as const)('is P-256 for a CA with %s', async (spec) => {
    expect(responderKeySpec(await keyOf(spec))).toBe('P-256');
  });

  it('is replaced if it is weaker than the CA key', async () => {
    const [weak, strong] = [await keyOf('P-256'), await keyOf('ML-DSA-65')];
    expect(hasResponderKey(weak, strong)).toBe(false);
    expect(hasResponderKey(strong, strong)).toBe(true);
    expect(hasResponderKey(weak, await keyOf('RSA-2048'))).toBe(true);
  });
});
