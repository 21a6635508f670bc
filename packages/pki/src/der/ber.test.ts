import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { checkDer } from './reader.ts';
import { derFromBer } from './ber.ts';
import { encodeDer, integerPart, octetStringPart, sequence } from './writer.ts';
import { expectOwnErrors, mutations } from '../testing/arbitraries.ts';

const toDerHex = (hex: string): string => derFromBer(Buffer.from(hex, 'hex')).toHex();

describe('BER to DER conversion', () => {
  it.each([
    ['an indefinite length', '3080020105 0000', '3003020105'],
    ['indefinite lengths inside definite ones', '300730800201050000', '30053003020105'],
    ['an OCTET STRING in segments', '24800401aa0402bbcc0000', '0403aabbcc'],
    ['segments in segments', '2480240304 01aa240304 01bb0401cc0000', '0403aabbcc'],
    ['an empty OCTET STRING without segments', '24800000', '0400'],
    ['a length in more bytes than necessary', '308400000003020105', '3003020105'],
    ['a primitive element with such a length', '30040281 0105', '3003020105'],
  ])('%s', (_name, ber, der) => {
    expect(toDerHex(ber.replaceAll(' ', ''))).toBe(der);
  });

  it('returns DER unchanged, without copying it', () => {
    const der = encodeDer(sequence([integerPart(5), octetStringPart(new Uint8Array(300))]));
    expect(derFromBer(der).buffer).toBe(der.buffer);
  });

  it('leaves the children of excluded elements unchanged', () => {
    const keepsChildrenOf = (tags: readonly number[]): boolean => tags.join() === '48,160';
    const ber = Buffer.from('3080a080308000000000028101050000', 'hex');
    expect(derFromBer(ber, { keepsChildrenOf }).toHex()).toBe('3009a00430800000020105');
  });

  it.each([
    ['', 'it ends inside an element (byte 0)'],
    ['0500 00', 'bytes follow its last element (byte 2)'],
    ['3085ffffffffff', 'a length has more than four bytes (byte 1)'],
    ['30820100', 'a length exceeds the enclosing element (byte 0)'],
    ['0480', 'a primitive element has an indefinite length (byte 1)'],
    ['30803080', 'it ends inside an element (byte 4)'],
    ['3080'.repeat(40), 'it is nested deeper than 32 levels (byte 66)'],
    ['24800201050000', 'a segment of an OCTET STRING has a different type (byte 2)'],
    [`3080${'040100'.repeat(3)}`, 'it ends inside an element'],
  ])('reports the position of an error: %#', (hex, problem) => {
    expect(() => toDerHex(hex.replaceAll(' ', ''))).toThrow(problem);
  });

  it.each([
    ['an OCTET STRING in segments', `2480${'040100'.repeat(1_000_000)}0000`],
    ['elements with indefinite lengths', `3080${'30800000'.repeat(1_000_000)}0000`],
    ['many deeply nested elements', `${'3080'.repeat(31)}${'0500'.repeat(1_000_000)}${'0000'.repeat(31)}`],
  ])('rejects input that is designed to take a long time: %s', (_name, hex) => {
    const started = performance.now();
    expect(() => toDerHex(hex)).toThrow('it has too many elements');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('returns DER or a DerError for any bytes', () => {
    const samples = ['3080020105308024800401aa04000000040300010200000000', '30840000000702010524030401aa'];
    fc.assert(
      fc.property(mutations(samples.map((hex) => Buffer.from(hex, 'hex'))), (bytes) => {
        expectOwnErrors(() => {
          const der = derFromBer(bytes);
          expectOwnErrors(() => checkDer(der));
        });
      }),
    );
  });
});
