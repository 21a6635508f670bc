import { describe, expect, it } from 'vitest';
import { keyItemText, keyText, shortKeyText, sizeText } from './key-text.ts';

describe('key texts', () => {
  it.each([
    ['RSA', 2048, 'RSA 2048', 'RSA, 2048 bits'],
    ['ECDSA P-256', 256, 'ECDSA P-256 256', 'ECDSA P-256, 256 bits'],
    ['ML-DSA-65', 65, 'ML-DSA-65', 'ML-DSA-65'],
    ['ML-DSA', 65, 'ML-DSA-65', 'ML-DSA-65'],
    ['ML-DSA', 15_616, 'ML-DSA 15616', 'ML-DSA, 15616 bits'],
    ['SLH-DSA', 128, 'SLH-DSA-128', 'SLH-DSA-128'],
    ['Composite', 65, 'Composite ML-DSA-65', 'Composite ML-DSA-65'],
    ['ML-KEM-768', 768, 'ML-KEM-768', 'ML-KEM-768'],
    ['SLH-DSA-SHA2-128S', 128, 'SLH-DSA-SHA2-128S', 'SLH-DSA-SHA2-128S'],
    ['MLDSA65-ECDSA-P256-SHA512', 65, 'MLDSA65-ECDSA-P256-SHA512', 'MLDSA65-ECDSA-P256-SHA512'],
  ])('of %s %i do not repeat a parameter set', (algorithm, size, short, long) => {
    expect(shortKeyText(algorithm, size)).toBe(short);
    expect(keyText(algorithm, size)).toBe(long);
  });

  it('of keys in tokens add the parameter set to the algorithm', () => {
    const texts = [
      keyItemText('ML-DSA', 65),
      keyItemText('ML-DSA', 15_616),
      keyItemText('RSA', 2048),
      keyItemText('X', 0),
    ];
    expect(texts).toEqual(['ML-DSA-65', 'ML-DSA, 15616 bits', 'RSA, 2048 bits', 'X']);
  });

  it('name the parameter set for sizes of ML-DSA', () => {
    expect(['65', '256', '2048'].map(sizeText)).toEqual(['ML-DSA-65', '256 bits', '2048 bits']);
  });
});
