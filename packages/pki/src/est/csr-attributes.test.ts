import { describe, expect, it } from 'vitest';
import { buildCsrAttributes } from './csr-attributes.ts';

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');

describe('CSR attributes', () => {
  it('contain OIDs, and an attribute for the curve of an EC key (RFC 7030 §4.5.2)', () => {
    const octets = buildCsrAttributes({ identifiers: ['1.2.840.113549.1.9.7'], key: { curve: '1.3.132.0.34' } });
    const challengePassword = '06092a864886f70d010907';
    const key = '301206072a8648ce3d0201310706052b81040022';
    expect(hex(octets)).toBe(`301f${challengePassword}${key}`);
  });

  it('specify the size of an RSA key', () => {
    expect(hex(buildCsrAttributes({ identifiers: [], key: { rsaBits: 4096 } }))).toBe(
      '3013301106092a864886f70d010101310402021000',
    );
  });

  it('can be empty', () => {
    expect(hex(buildCsrAttributes({ identifiers: [] }))).toBe('3000');
  });
});
