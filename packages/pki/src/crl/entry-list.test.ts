import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes } from '../bytes.ts';
import { DerError } from '../errors.ts';
import { changeEntries, encodeEntries, joinEntries, NO_ENTRIES, type RevokedEntryInput } from './entry-list.ts';

const NOW_MS = Date.UTC(2026, 10, 20);

/** Few serial numbers of different lengths, so that changes hit existing entries; some need a leading zero byte. */
const serialNumber = fc.constantFrom(
  ...['01', '02', '7f', '80', 'ff', '0100', '01ff', '8000', 'ffff', '400000', '80000000', 'ff'.repeat(20)].map((hex) =>
    Uint8Array.fromHex(hex),
  ),
);
const entry = fc.record(
  {
    serialNumber,
    revocationMs: fc.integer({ min: 0, max: 10 }).map((days) => NOW_MS + days * 86_400_000),
    reason: fc.constantFrom('keyCompromise' as const, 'superseded' as const, 'unspecified' as const),
    invalidityMs: fc.constant(NOW_MS),
  },
  { requiredKeys: ['serialNumber', 'revocationMs'] },
);

const keyOf = (serial: Uint8Array): string => serial.toHex();

/** Reference implementation: a map by serial number, re-encoded in full. */
const rebuild = (entries: readonly RevokedEntryInput[]) => {
  const bySerial = new Map(entries.map((item) => [keyOf(item.serialNumber), item]));
  return encodeEntries([...bySerial.values()].toSorted((a, b) => compareBytes(a.serialNumber, b.serialNumber)));
};

describe('changing an encoded entry list', () => {
  it('produces the same bytes as re-encoding all entries', () => {
    const entries = fc.uniqueArray(entry, { selector: ({ serialNumber: serial }) => keyOf(serial) });
    fc.assert(
      fc.property(entries, entries, fc.uniqueArray(serialNumber, { selector: keyOf }), (before, put, drop) => {
        const dropped = new Set(drop.map(keyOf));
        const kept = before.filter(({ serialNumber: serial }) => !dropped.has(keyOf(serial)));
        expect(changeEntries(rebuild(before).octets, { put, drop })).toEqual(rebuild([...kept, ...put]));
      }),
      { numRuns: 500 },
    );
  });

  it('treats a serial number with leading zeros as equal to the number without them', () => {
    const before = encodeEntries([{ serialNumber: Uint8Array.of(5), revocationMs: NOW_MS }]);
    expect(changeEntries(before.octets, { put: [], drop: [Uint8Array.of(0, 5)] })).toEqual(NO_ENTRIES);
  });

  it('copies entries with long extensions', () => {
    const [first, last] = [1, 9].map((n) => encodeEntries([{ serialNumber: Uint8Array.of(n), revocationMs: NOW_MS }]));
    const long = new Uint8Array(4 + 3 + 300).fill(0x55);
    long.set([0x30, 0x82, 0x01, 0x2f, 0x02, 0x01, 0x04]);
    const before = joinEntries([first ?? NO_ENTRIES, { octets: long, count: 1 }, last ?? NO_ENTRIES]);
    const after = changeEntries(before.octets, { put: [], drop: [Uint8Array.of(9)] });
    expect(after).toEqual(joinEntries([first ?? NO_ENTRIES, { octets: long, count: 1 }]));
  });

  it('rejects entries in the wrong order, and invalid bytes', () => {
    const [one, two] = [1, 2].map(
      (n) => encodeEntries([{ serialNumber: Uint8Array.of(n), revocationMs: NOW_MS }]).octets,
    );
    const backwards = new Uint8Array([...(two ?? []), ...(one ?? [])]);
    expect(() => changeEntries(backwards, { put: [], drop: [] })).toThrow(DerError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (octets) => {
        try {
          changeEntries(octets, { put: [], drop: [Uint8Array.of(1)] });
        } catch (error) {
          expect(error).toBeInstanceOf(DerError);
        }
      }),
    );
  });
});
