// fast-check arbitraries for hostile bytes, and the property that every parser must have.
import fc from 'fast-check';
import { expect } from 'vitest';
import { isPkiError } from '../errors.ts';

/**
 * Generates valid encodings with a few bytes changed, cut off or repeated, which get deeper into a parser than random
 * bytes.
 */
export function mutations(samples: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });
  return fc
    .record({
      sample: fc.constantFrom(...samples),
      changes: fc.array(change, { minLength: 0, maxLength: 4 }),
      cut: fc.option(fc.nat()),
      repeat: fc.option(fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 40 }) })),
    })
    .map(({ sample, changes, cut, repeat }) => {
      let bytes = Uint8Array.from(sample);
      for (const { at, value } of changes) bytes[at % bytes.length] = value;
      if (repeat !== null) {
        const from = repeat.from % bytes.length;
        const part = bytes.slice(from, from + repeat.length);
        bytes = Uint8Array.from([...bytes.slice(0, from), ...part, ...bytes.slice(from)]);
      }
      return cut === null ? bytes : bytes.slice(0, cut % (bytes.length + 1));
    });
}

/** Runs a parser and checks that it throws only our own errors. */
export function expectOwnErrors(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    expect(isPkiError(error) ? 'own' : error).toBe('own');
  }
}
