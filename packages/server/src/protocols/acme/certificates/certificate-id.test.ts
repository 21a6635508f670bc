import { parseCertificate, readDerOrPem } from '@signetry/pki';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNamedBy, readCertificateId } from './certificate-id.ts';

/** RFC 9773 §4.1: the bytes 69:88:5B:…:C8:D4 and the serial number 00:87:65:43:21, including its sign byte. */
const EXAMPLE_ID = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE';

/** RFC 9773 appendix A. */
const EXAMPLE = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;

const example = parseCertificate(readDerOrPem(EXAMPLE, ['CERTIFICATE']));
const read = (text: string) => readCertificateId(text) ?? expect.unreachable(`${text} is an identifier`);
const base64url = (octets: Uint8Array): string => Buffer.from(octets).toString('base64url');
const [keyPart = '', serialPart = ''] = EXAMPLE_ID.split('.');

describe('a certificate identifier', () => {
  it('is parsed as specified in RFC 9773 §4.1', () => {
    const { keyIdentifier, serialNumber } = read(EXAMPLE_ID);
    expect(Buffer.from(keyIdentifier).toString('hex')).toBe('69885b6b87464041e1b37b847ba0ae2cde01c8d4');
    expect(serialNumber).toBe('87654321');
    expect(serialNumber).toBe(example.serialNumber);
  });

  it('identifies the certificate with that key identifier', () => {
    expect(isNamedBy(example, read(EXAMPLE_ID))).toBe(true);
    expect(isNamedBy(example, read(`${base64url(Buffer.alloc(20, 1))}.${serialPart}`))).toBe(false);
    expect(isNamedBy(example, read(`${base64url(Buffer.from(keyPart, 'base64url').subarray(1))}.${serialPart}`))).toBe(
      false,
    );
  });

  it('distinguishes serial numbers with and without a sign byte', () => {
    const withoutSign = base64url(Buffer.from(serialPart, 'base64url').subarray(1));
    expect(read(`${keyPart}.${withoutSign}`).serialNumber).not.toBe(example.serialNumber);
  });

  it.each([
    ['empty', ''],
    ['without a full stop', keyPart],
    ['without a serial number', `${keyPart}.`],
    ['without a key identifier', `.${serialPart}`],
    ['of three parts', `${EXAMPLE_ID}.AA`],
    ['padded', `${keyPart}=.${serialPart}=`],
    ['in base64', `${keyPart.slice(0, -1)}+.${serialPart}`],
    ['with white space', `${keyPart}. ${serialPart}`],
    ['with a key identifier of 65 octets', `${base64url(Buffer.alloc(65, 1))}.${serialPart}`],
    ['with a serial number of 22 octets', `${keyPart}.${base64url(Buffer.alloc(22, 1))}`],
    ['with a serial number with a superfluous zero octet', `${keyPart}.AAE`],
    ['with a serial number of zero octets only', `${keyPart}.AAAA`],
    ['with a serial number with a superfluous sign octet', `${keyPart}._4A`],
    ['with unused bits in its encoding', `${keyPart}.AR`],
    ['of a megabyte', `${'A'.repeat(1 << 20)}.${serialPart}`],
  ])('is rejected: %s', (_what, text) => {
    expect(readCertificateId(text)).toBeUndefined();
  });

  it('never causes the parser to throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        readCertificateId(one);
        readCertificateId(`${one}.${other}`);
      }),
    );
  });
});
