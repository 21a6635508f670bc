import { describe, expect, it } from 'vitest';
import { createSealer, newSealingKey, parseSealingKeys, SealError } from './sealing.ts';

const text = (value: string) => new TextEncoder().encode(value);

describe('sealing', () => {
  it('decrypts values that it encrypted, but only for the same purpose', () => {
    const sealer = createSealer([newSealingKey()]);
    const sealed = sealer.seal(text('hunter2'), 'credential');
    expect(Buffer.from(sealer.open(sealed, 'credential')).toString()).toBe('hunter2');
    expect(() => sealer.open(sealed, 'token')).toThrow(SealError);
    expect(Buffer.from(sealed).includes('hunter2')).toBe(false);
  });

  it('rejects a value if any byte was modified', () => {
    const sealer = createSealer([newSealingKey()]);
    const sealed = sealer.seal(text('secret'), 'p');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Uint8Array.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => sealer.open(altered, 'p')).toThrow(SealError);
    }
  });

  it('decrypts values encrypted with an older key after a rotation, and marks them as outdated', () => {
    const [oldKey, newKey] = [newSealingKey(), newSealingKey()];
    const sealed = createSealer([oldKey]).seal(text('x'), 'p');
    const rotated = createSealer([newKey, oldKey]);
    expect(Buffer.from(rotated.open(sealed, 'p')).toString()).toBe('x');
    expect(rotated.isStale(sealed)).toBe(true);
    expect(rotated.isStale(rotated.seal(text('x'), 'p'))).toBe(false);
    expect(() => createSealer([newKey]).open(sealed, 'p')).toThrow(/not in the sealing key file/);
  });

  it('reads key files with comments and rejects short keys', () => {
    const key = Buffer.from(newSealingKey()).toString('base64');
    expect(parseSealingKeys(`# current\n${key}\n\n`)).toHaveLength(1);
    expect(() => parseSealingKeys('c2hvcnQ=')).toThrow(SealError);
    expect(() => parseSealingKeys('')).toThrow(SealError);
  });
});
