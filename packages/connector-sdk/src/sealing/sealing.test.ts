import { describe, expect, it } from 'vitest';
import { createSealing } from './sealing.ts';

const { seal, open } = createSealing(Buffer.alloc(32, 7));
const plain = new TextEncoder().encode('a secret');

describe('createSealing', () => {
  it('opens what it sealed', () => {
    expect(Buffer.from(open(seal(plain, 'here'), 'here')).toString()).toBe('a secret');
    expect(open(seal(new Uint8Array(), 'here'), 'here')).toHaveLength(0);
  });

  it('seals differently each time and never exposes the plaintext', () => {
    expect(seal(plain, 'here')).not.toEqual(seal(plain, 'here'));
    expect(Buffer.from(seal(plain, 'here')).includes(plain)).toBe(false);
  });

  it('rejects a different purpose, a different key or any modification', () => {
    const sealed = Buffer.from(seal(plain, 'here'));
    expect(() => open(sealed, 'there')).toThrow();
    expect(() => createSealing(Buffer.alloc(32, 8)).open(sealed, 'here')).toThrow();
    for (const index of [0, 5, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => open(changed, 'here')).toThrow();
    }
    expect(() => open(sealed.subarray(0, 10), 'here')).toThrow();
  });

  it('rejects a key of the wrong length', () => {
    expect(() => createSealing(new Uint8Array(16))).toThrow('32');
  });
});
