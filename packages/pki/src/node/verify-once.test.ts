import { expect, it, vi } from 'vitest';
import { defaultSignatureAlgorithm, parsePublicKey } from '../index.ts';
import { nodeCrypto } from './crypto.ts';
import { generateKeyPair } from './keys.ts';
import { cacheVerified } from './verify-once.ts';

it('verifies identical input once, and different input again', async () => {
  const verify = vi.fn(nodeCrypto.verify);
  const verifyOnce = cacheVerified(verify, 2);
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const signed = (text: string) => {
    const data = Buffer.from(text);
    return { algorithm, data, signature: nodeCrypto.sign(privateKey, { algorithm, data }) };
  };
  const first = signed('first');
  expect([verifyOnce(spki, first), verifyOnce(spki, { ...first })]).toEqual([true, true]);
  expect(verify).toHaveBeenCalledTimes(1);
  const changed = Buffer.from('First');
  expect([verifyOnce(spki, { ...first, data: changed }), verifyOnce(spki, { ...first, data: changed })]).toEqual([
    false,
    false,
  ]);
  const other = await generateKeyPair('P-256');
  expect(verifyOnce(other.spki, first)).toBe(false);
  // Moving one byte from the data to the signature leaves the concatenated bytes unchanged.
  const { signature } = first;
  const moved = { signature: Buffer.concat([signature, first.data.subarray(0, 1)]), data: first.data.subarray(1) };
  expect(verifyOnce(spki, { ...first, ...moved })).toBe(false);
  expect(verify).toHaveBeenCalledTimes(5);
  for (const text of ['second', 'third']) expect(verifyOnce(spki, signed(text))).toBe(true);
  expect(verifyOnce(spki, first)).toBe(true);
  expect(verify).toHaveBeenCalledTimes(8);
});
