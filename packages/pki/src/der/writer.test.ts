import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  bitStringPart,
  booleanPart,
  encodeDer,
  generalizedTimePart,
  ia5StringPart,
  integerPart,
  namedBitsPart,
  octetStringPart,
  oidPart,
  printableStringPart,
  sequence,
  setOf,
  timePart,
  utf8StringPart,
} from './writer.ts';
import { fromHex } from '../bytes.ts';
import {
  parseDer,
  readBigInteger,
  readBitStringBytes,
  readNamedBits,
  readOid,
  readText,
  readTimeMs,
} from './reader.ts';
import { PkiError } from '../errors.ts';

const hexOf = (part: Parameters<typeof encodeDer>[0]): string => encodeDer(part).toHex();

describe('INTEGER', () => {
  it.each([
    [0, '020100'],
    [127, '02017f'],
    [128, '02020080'],
    [256, '02020100'],
    [-1, '0201ff'],
    [-128, '020180'],
    [-129, '0202ff7f'],
  ])('%i is encoded as %s', (value, hex) => {
    expect(hexOf(integerPart(value))).toBe(hex);
    expect(hexOf(integerPart(BigInt(value)))).toBe(hex);
  });

  it('accepts bytes as an unsigned number and drops leading zeros', () => {
    expect(hexOf(integerPart(fromHex('000080')))).toBe('02020080');
    expect(hexOf(integerPart(fromHex('007f')))).toBe('02017f');
    expect(hexOf(integerPart(new Uint8Array()))).toBe('020100');
    expect(hexOf(integerPart(fromHex('0000')))).toBe('020100');
  });

  it('rejects fractions and unsafe numbers', () => {
    expect(() => integerPart(1.5)).toThrow(PkiError);
    expect(() => integerPart(2 ** 60)).toThrow(PkiError);
  });

  it('round-trips every number', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 200n), 2n ** 200n), (value) => {
        expect(readBigInteger(parseDer(encodeDer(integerPart(value))))).toBe(value);
      }),
    );
  });
});

describe('other types', () => {
  it('BOOLEAN is encoded as 00 or FF', () => {
    expect(hexOf(booleanPart(true))).toBe('0101ff');
    expect(hexOf(booleanPart(false))).toBe('010100');
  });

  it('long lengths use the minimum number of bytes', () => {
    for (const [length, header] of [
      [127, '047f'],
      [128, '048180'],
      [255, '0481ff'],
      [256, '04820100'],
      [65536, '0483010000'],
    ] as const) {
      const encoded = encodeDer(octetStringPart(new Uint8Array(length)));
      expect(encoded.subarray(0, header.length / 2).toHex()).toBe(header);
    }
  });

  it('SET OF elements are sorted by their encoding, prefixes first', () => {
    expect(hexOf(setOf([integerPart(300), integerPart(2), integerPart(1)]))).toBe('310a0201010201020202012c');
    expect(hexOf(setOf([fromHex('0402ff00'), fromHex('0401ff')]))).toBe('31070401ff0402ff00');
  });

  it('undefined parts are omitted', () => {
    expect(hexOf(sequence([undefined, booleanPart(true), undefined]))).toBe('30030101ff');
  });

  it('named bits are encoded without trailing zero bits', () => {
    expect(hexOf(namedBitsPart(0))).toBe('030100');
    expect(hexOf(namedBitsPart(1))).toBe('03020780');
    expect(hexOf(namedBitsPart(1 << 8))).toBe('0303070080');
    fc.assert(
      fc.property(fc.nat(0xffffff), (flags) => {
        expect(readNamedBits(parseDer(encodeDer(namedBitsPart(flags))))).toBe(flags);
      }),
    );
  });

  it('bit strings of whole bytes round-trip', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readBitStringBytes(parseDer(encodeDer(bitStringPart(bytes))))).toEqual(bytes);
      }),
    );
  });

  it('strings reject values that their type cannot represent', () => {
    expect(() => printableStringPart('a@b')).toThrow(/PrintableString/);
    expect(() => ia5StringPart('é')).toThrow(/ASCII/);
    expect(() => utf8StringPart('\ud800')).toThrow(/surrogate/);
    expect(readText(parseDer(encodeDer(utf8StringPart('Grüße €😀'))))).toBe('Grüße €😀');
  });
});

describe('OBJECT IDENTIFIER', () => {
  it.each([
    ['2.5.4.3', '0603550403'],
    ['1.2.840.113549.1.1.11', '06092a864886f70d01010b'],
    ['0.9.2342.19200300.100.1.25', '060a0992268993f22c640119'],
    ['2.999.3', '0603883703'],
    ['2.25.329800735698586629295641978511506172918', '06146983f09da7ebcfdee0c7a1a7b2c0948cc8f9d776'],
  ])('%s is encoded as %s', (oid, hex) => {
    expect(oidPart(oid).toHex()).toBe(hex);
    expect(readOid(parseDer(fromHex(hex)))).toBe(oid);
  });

  it.each(['', '1', '3.1', '1.40', '1.2.', '1.02', '1..2', 'a.b', '-1.2', `2.${'9'.repeat(400)}`])(
    'rejects "%s"',
    (oid) => {
      expect(() => oidPart(oid)).toThrow(PkiError);
    },
  );

  it('round-trips every OID', () => {
    const arcs = fc.tuple(
      fc.constantFrom('0', '1', '2'),
      fc.nat(39),
      fc.array(fc.bigInt(0n, 2n ** 128n), { maxLength: 6 }),
    );
    fc.assert(
      fc.property(arcs, ([root, second, rest]) => {
        const oid = [root, second, ...rest].join('.');
        expect(readOid(parseDer(oidPart(oid)))).toBe(oid);
      }),
    );
  });
});

describe('times', () => {
  it.each([
    ['2049-12-31T23:59:59Z', 'utc'],
    ['1950-01-01T00:00:00Z', 'utc'],
    ['2050-01-01T00:00:00Z', 'generalized'],
    ['1949-12-31T23:59:59Z', 'generalized'],
    ['9999-12-31T23:59:59Z', 'generalized'],
    ['0000-01-01T00:00:00Z', 'generalized'],
    ['2000-02-29T12:34:56Z', 'utc'],
  ])('%s is encoded as %s time', (iso, kind) => {
    const epochMs = Date.parse(iso);
    const encoded = encodeDer(timePart(epochMs));
    expect(encoded[0]).toBe(kind === 'utc' ? 0x17 : 0x18);
    expect(readTimeMs(parseDer(encoded))).toBe(epochMs);
  });

  it('round-trip for every second, in both types', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }), (second) => {
        expect(readTimeMs(parseDer(encodeDer(timePart(second * 1000))))).toBe(second * 1000);
        expect(readTimeMs(parseDer(encodeDer(generalizedTimePart(second * 1000 + 999))))).toBe(second * 1000);
      }),
    );
  });

  it.each([
    '170b323631313230313230305a',
    '170d3236313332303132303030305a',
    '170d3236303233303132303030305a',
    '170d3235303232393132303030305a',
    '170d3236313132303234303030305a',
    '170d3236313132303132363030305a',
    '170d3236313132303132303036305a',
    '171132363131323031323030303030302b3030',
    '181132303236313132303132303030302e355a',
    '180f32303236313132303132303030302b',
    '170d32363131323031323030302f5a',
  ])('%s is rejected as malformed', (hex) => {
    expect(() => readTimeMs(parseDer(fromHex(hex)))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(bad-time|length-beyond-end)$/) }),
    );
  });

  it('outside the supported years are rejected', () => {
    expect(() => timePart(Date.UTC(10000, 0, 1))).toThrow(PkiError);
    expect(() => timePart(Number.NaN)).toThrow(PkiError);
  });
});
