import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { repeatSha256 } from './repeated-sha256.ts';

function repeatWithNode(digest: Uint8Array, times: number): string {
  let state = digest;
  for (let i = 0; i < times; i++) state = createHash('sha256').update(state).digest();
  return Buffer.from(state).toString('hex');
}

describe('iterated SHA-256', () => {
  it('matches node:crypto', () => {
    const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(digest, fc.nat(5), (octets, times) => {
        expect(repeatSha256(octets, times).toHex()).toBe(repeatWithNode(octets, times));
      }),
    );
    const zeros = new Uint8Array(32);
    expect(repeatSha256(zeros, 10_000).toHex()).toBe(repeatWithNode(zeros, 10_000));
    expect(zeros.every((octet) => octet === 0)).toBe(true);
  });
});
