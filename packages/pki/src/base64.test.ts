import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from './base64.ts';
import { PkiError } from './errors.ts';

describe('base64', () => {
  it('decodes its own output and that of Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });

  it('accepts line breaks and missing padding, which EST and SCEP clients send', () => {
    expect(fromBase64('AQID\r\nBA\n')).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it('rejects other characters', () => {
    expect(() => fromBase64('AQ*D')).toThrow(PkiError);
    expect(() => fromBase64('A')).toThrow(PkiError);
  });
});

describe('base64url', () => {
  it.each(['AQI=', 'AQ ID', 'AQ+D', 'AR', 'A', 'AQID\n'])(
    'rejects "%s", because each value has exactly one encoding',
    (text) => {
      expect(() => fromBase64Url(text)).toThrow(expect.objectContaining({ code: 'bad-base64' }));
    },
  );
});
