import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { checkDer } from './reader.ts';
import { derFromBer } from './ber.ts';
import { encodeDer, integerPart, octetStringPart, sequence } from './writer.ts';
import { expectOwnErrors, mutations } from '../testing/arbitraries.ts';

const rewritten = (hex: string): string => derFromBer(Buffer.from(hex, 'hex')).toHex();

describe('BER rewritten as DER', () => {
  it.each([
    ['an indefinite length', '3080020105 0000', '3003020105'],
    ['indefinite lengths inside definite ones', '300730800201050000', '30053003020105'],
    ['an octet string in pieces', '24800401aa0402bbcc0000', '0403aabbcc'],
    ['pieces in pieces', '2480240304 01aa240304 01bb0401cc0000', '0403aabbcc'],
    ['an empty octet string in no pieces', '24800000', '0400'],
    ['a length in more octets than needed', '308400000003020105', '3003020105'],
    ['a primitive element with such a length', '30040281 0105', '3003020105'],
  ])('%s', (_name, ber, der) => {
    expect(rewritten(ber.replaceAll(' ', ''))).toBe(der);
  });

  it('gives DER back as it is, without a copy', () => {
    const der = encodeDer(sequence([integerPart(5), octetStringPart(new Uint8Array(300))]));
    expect(derFromBer(der).buffer).toBe(der.buffer);
  });

  it('leaves what is to be kept', () => {
    const keepsChildrenOf = (tags: readonly number[]): boolean => tags.join() === '48,160';
    const ber = Buffer.from('3080a080308000000000028101050000', 'hex');
    expect(derFromBer(ber, { keepsChildrenOf }).toHex()).toBe('3009a00430800000020105');
  });

  it.each([
    ['', 'it ends inside an element (octet 0)'],
    ['0500 00', 'octets follow its last element (octet 2)'],
    ['3085ffffffffff', 'a length has more than four octets (octet 1)'],
    ['30820100', 'a length reaches beyond the element around it (octet 0)'],
    ['0480', 'a primitive element has no length (octet 1)'],
    ['30803080', 'it ends inside an element (octet 4)'],
    ['3080'.repeat(40), 'it is nested deeper than 32 levels (octet 66)'],
    ['24800201050000', 'a piece of an octet string is of another type (octet 2)'],
    [`3080${'040100'.repeat(3)}`, 'it ends inside an element'],
  ])('tells where it is broken: %#', (hex, problem) => {
    expect(() => rewritten(hex.replaceAll(' ', ''))).toThrow(problem);
  });

  it.each([
    ['an octet string in pieces', `2480${'040100'.repeat(1_000_000)}0000`],
    ['elements without length', `3080${'30800000'.repeat(1_000_000)}0000`],
    ['many elements in deep ones', `${'3080'.repeat(31)}${'0500'.repeat(1_000_000)}${'0000'.repeat(31)}`],
  ])('gives up on what is made to cost time: %s', (_name, hex) => {
    const started = performance.now();
    expect(() => rewritten(hex)).toThrow('it has too many elements');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('gives DER or a DerError for any octets', () => {
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
