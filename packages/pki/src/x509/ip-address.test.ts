import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { formatIpAddress, parseIpAddress } from './ip-address.ts';

describe('the IP address codec', () => {
  it.each([
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['::ffff:192.0.2.1', '::ffff:c000:201'],
    ['192.0.2.1', '192.0.2.1'],
  ])('formats %s as %s (RFC 5952)', (text, canonical) => {
    expect(formatIpAddress(parseIpAddress(text) ?? new Uint8Array())).toBe(canonical);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.x',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8:9',
    '12345::',
    'fe80::1%eth0',
    '::1.2.3',
  ])('rejects "%s"', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it('parses every formatted address, which Node.js also accepts', () => {
    const octets = fc.oneof(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: 16, maxLength: 16 }).map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(octets, (bytes) => {
        const text = formatIpAddress(bytes) ?? '';
        expect(isIP(text)).toBe(bytes.length === 4 ? 4 : 6);
        expect(parseIpAddress(text)).toEqual(bytes);
      }),
    );
  });

  it('accepts text only if Node.js also accepts it as an address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        if (parseIpAddress(text) !== undefined) expect(isIP(text)).not.toBe(0);
        else if (isIP(text) !== 0) expect.unreachable(text);
      }),
    );
  });
});
