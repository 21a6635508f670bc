import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  checkDer,
  DerCursor,
  elementBytes,
  openDer,
  parseDer,
  parseInner,
  readBigInteger,
  readBitString,
  readBoolean,
  readChildren,
  readIntegerBytes,
  readNamedBits,
  readNull,
  readOid,
  readSmallInteger,
  readText,
  readUnsignedBytes,
  MAX_DER_DEPTH,
} from './reader.ts';
import { DerError } from '../errors.ts';
import { encodeDer, integerPart, octetStringPart, sequence } from './writer.ts';
import { fromHex } from '../bytes.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DerError) return error.code;
    throw error;
  }
  return 'accepted';
}

const parseHex = (hex: string) => parseDer(fromHex(hex));

describe('DER length octets', () => {
  it.each([
    ['30', 'truncated'],
    ['', 'truncated'],
    ['3080 0000', 'indefinite-length'],
    ['3081 7f', 'length-not-minimal'],
    ['308200ff', 'length-not-minimal'],
    ['3085 0100000000', 'length-too-large'],
    ['30ff', 'length-too-large'],
    ['3082', 'truncated'],
    ['3003 0500', 'length-beyond-end'],
    ['3084ffffffff', 'length-beyond-end'],
    ['0500 00', 'trailing-bytes'],
    ['1f8100 00', 'high-tag-number'],
  ])('%s is rejected as %s', (hex, code) => {
    expect(codeOf(() => parseHex(hex.replaceAll(' ', '')))).toBe(code);
  });

  it('accepts the long form if the length requires it', () => {
    const element = parseDer(encodeDer(octetStringPart(new Uint8Array(300))));
    expect([element.content, element.end]).toEqual([4, 304]);
  });

  it('reports the offset of the error', () => {
    try {
      for (const child of readChildren(parseHex('300a 0500 0500 3004 0500 0501'.replaceAll(' ', ''))))
        readChildren(child);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: 'DerError', code: 'length-beyond-end', offset: 10 });
    }
  });
});

describe('nesting depth', () => {
  const nested = (levels: number): Uint8Array => {
    let bytes: Uint8Array = Uint8Array.of(5, 0);
    for (let level = 0; level < levels; level++) bytes = encodeDer(sequence([bytes]));
    return bytes;
  };

  it('is limited for cursors', () => {
    const descend = (levels: number): void => {
      let cursor = openDer(nested(levels));
      while (cursor.peekTag() === 0x30) cursor = cursor.open(0x30);
    };
    expect(codeOf(() => descend(MAX_DER_DEPTH))).toBe('accepted');
    expect(codeOf(() => descend(MAX_DER_DEPTH + 1))).toBe('too-deep');
  });

  it('includes levels inside octet strings', () => {
    let bytes: Uint8Array = Uint8Array.of(5, 0);
    for (let level = 0; level <= MAX_DER_DEPTH; level++) bytes = encodeDer(octetStringPart(bytes));
    expect(
      codeOf(() => {
        let element = parseDer(bytes);
        while (element.tag === 4) element = parseInner(element);
      }),
    ).toBe('too-deep');
  });

  it('is limited when the entire input is walked, even with 2,000 levels', () => {
    expect(codeOf(() => checkDer(nested(MAX_DER_DEPTH)))).toBe('accepted');
    expect(codeOf(() => checkDer(nested(MAX_DER_DEPTH + 1)))).toBe('too-deep');
    expect(codeOf(() => checkDer(nested(2000)))).toBe('too-deep');
  });
});

describe('reading DER values', () => {
  it.each([
    ['0100', 'bad-boolean'],
    ['010101', 'bad-boolean'],
    ['01020000', 'bad-boolean'],
  ])('rejects the BOOLEAN %s', (hex, code) => {
    expect(codeOf(() => readBoolean(parseHex(hex)))).toBe(code);
  });

  it.each([
    ['0200', 'bad-integer'],
    ['02020001', 'bad-integer'],
    ['0202ff80', 'bad-integer'],
    ['0207 01000000000000', 'integer-too-large'],
  ])('rejects the INTEGER %s as %s', (hex, code) => {
    expect(codeOf(() => readSmallInteger(parseHex(hex.replaceAll(' ', ''))))).toBe(code);
  });

  it('reads negative integers, except as unsigned integers', () => {
    expect(readSmallInteger(parseHex('0201ff'))).toBe(-1);
    expect(readSmallInteger(parseHex('02020080'))).toBe(128);
    expect(readBigInteger(parseHex('020980000000000000000 0'.replaceAll(' ', '')))).toBe(-(2n ** 71n));
    expect(codeOf(() => readUnsignedBytes(parseHex('020180')))).toBe('bad-value');
  });

  it.each([
    ['0300', 'bad-bit-string'],
    ['030101', 'bad-bit-string'],
    ['030208ff', 'bad-bit-string'],
    ['030201ff', 'bad-bit-string'],
    ['030100', 'accepted'],
    ['030201fe', 'accepted'],
  ])('BIT STRING %s: %s', (hex, code) => {
    expect(codeOf(() => readBitString(parseHex(hex)))).toBe(code);
  });

  it('reads named bits, even if the issuer added extra bytes', () => {
    expect(readNamedBits(parseHex('03020780'))).toBe(1);
    expect(readNamedBits(parseHex('03020106'))).toBe(0b110_0000);
    expect(readNamedBits(parseHex('030500b0000000'))).toBe(0b1101);
  });

  it.each([
    ['0600', 'bad-oid'],
    ['060180', 'bad-oid'],
    ['06022a80', 'bad-oid'],
    ['06032a8001', 'bad-oid'],
  ])('rejects the OBJECT IDENTIFIER %s', (hex, code) => {
    expect(codeOf(() => readOid(parseHex(hex)))).toBe(code);
  });

  it('rejects an OID longer than 128 bytes, and a NULL that has content', () => {
    const huge = Uint8Array.from([6, 0x81, 0x81, ...new Uint8Array(128).fill(0xff), 0x7f]);
    expect(codeOf(() => readOid(parseDer(huge)))).toBe('bad-oid');
    expect(codeOf(() => readNull(parseHex('050100')))).toBe('bad-null');
  });

  it('reads text strictly according to its type', () => {
    expect(readText(parseHex('0c03e282ac'))).toBe('€');
    expect(codeOf(() => readText(parseHex('0c02c328')))).toBe('bad-text');
    expect(codeOf(() => readText(parseHex('130140')))).toBe('bad-text');
    expect(codeOf(() => readText(parseHex('1601e9')))).toBe('bad-text');
    expect(readText(parseHex('1e0420ac0041'))).toBe('€A');
    expect(codeOf(() => readText(parseHex('1e0120')))).toBe('bad-text');
  });
});

describe('cursors', () => {
  it('reject missing, unexpected and additional elements', () => {
    expect(codeOf(() => openDer(fromHex('3000')).next())).toBe('missing-element');
    expect(codeOf(() => openDer(fromHex('30020500')).take(2))).toBe('unexpected-tag');
    expect(codeOf(() => openDer(fromHex('30020500')).finish())).toBe('trailing-bytes');
    expect(openDer(fromHex('30020500')).optional(2)).toBeUndefined();
  });

  it('return views of the input bytes, which are plain Uint8Arrays even for a Buffer', () => {
    const bytes = Buffer.from('300302012a', 'hex');
    const value = readIntegerBytes(openDer(bytes).next());
    expect(value.constructor).toBe(Uint8Array);
    bytes[4] = 7;
    expect(value[0]).toBe(7);
  });
});

describe('the reader', () => {
  it('returns an element or a DerError for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        codeOf(() => checkDer(bytes));
        codeOf(() => readChildren(parseDer(bytes)).map((child) => new DerCursor(child)));
      }),
      { numRuns: 2000 },
    );
  });

  it('in a full walk, accepts only input that re-encodes to the same bytes', () => {
    const tree = fc.letrec<{ node: Uint8Array }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.uint8Array({ maxLength: 20 }).map((bytes) => encodeDer(octetStringPart(bytes))),
        fc.bigInt().map((value) => encodeDer(integerPart(value))),
        fc.array(tie('node'), { maxLength: 4 }).map((parts) => encodeDer(sequence(parts))),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (bytes) => {
        checkDer(bytes);
        const rebuild = (element: ReturnType<typeof parseDer>): Uint8Array =>
          element.tag === 0x30 ? encodeDer(sequence(readChildren(element).map(rebuild))) : elementBytes(element);
        expect(rebuild(parseDer(bytes))).toEqual(bytes);
      }),
    );
  });
});
